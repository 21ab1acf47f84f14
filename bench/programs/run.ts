import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A program of this folder in a separate process, so that its cost is measured separately. It ends with its handle. */
export type Program = { answer: unknown; stop(): void };

/** Starts it, sends its task, and waits for its first answer. @throws when it ends without one; its output is on standard error. */
export function startProgram(name: "generator" | "fastify" | "receiver" | "transfers", task: object): Promise<Program> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), { execArgv: [] });
    child.once("message", (answer) => resolve({ answer, stop: () => child.connected && child.disconnect() }));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    child.send(task);
  });
}

/** Partners' endpoints, for as long as the work takes. */
export async function withReceivers<T>(count: number, work: (urls: readonly [string, ...string[]]) => Promise<T>): Promise<T> {
  const { answer, stop } = await startProgram("receiver", { count });
  try {
    return await work(z.tuple([z.string()], z.string()).parse(answer));
  } finally {
    stop();
  }
}

/** A program that is done once it has answered. */
export async function runProgram(name: "generator" | "transfers", task: object): Promise<unknown> {
  const { answer, stop } = await startProgram(name, task);
  stop();
  return answer;
}

/** What a program does: takes its task, answers, and ends with who started it. */
export function onTask(work: (task: unknown) => Promise<unknown>): void {
  process.once("disconnect", () => process.exit(0));
  process.once("message", (task) => {
    work(task).then(
      (answer) => process.send?.(answer),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
