import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const REFERENCE = fileURLToPath(new URL("./reference.ts", import.meta.url));
const Ready = z.object({ port: z.number() });

export type Reference = { baseUrl: string; pid: number; stop(): void };

/** Starts the bare server beside the service, on the same database. */
export function startReference(setup: { databaseUrl: string; secret: string; connections: number }): Promise<Reference> {
  return new Promise((resolve, reject) => {
    const child = fork(REFERENCE);
    child.once("message", (message) => {
      const { port } = Ready.parse(message);
      resolve({ baseUrl: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.disconnect() });
    });
    child.once("exit", (code) => reject(new Error(`the reference ended with ${code}`)));
    child.send(setup);
  });
}
