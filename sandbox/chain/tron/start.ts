import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { Trouble } from "#server/process/trouble.ts";

export type DoubleOptions = {
  evmUrl: string;
  ports?: readonly number[];
  blockMs?: number;
  unsolidified?: number;
  stateFile?: string | null;
};

/** The double of a Tron network, in a process of its own. */
export type LocalTron = {
  /** What the process says it is. */
  face: string;
  /** A node each. */
  urls: readonly string[];
  /** Settles when the process ends. */
  exited: Promise<void>;
  stop(): Promise<void>;
  /** Changes how a node behaves, or what becomes of the network. */
  steer(order: object, node?: number): Promise<{ height: number; solid: number }>;
};

const Ready = z.object({ urls: z.array(z.url()).min(1) });
const Place = z.object({ height: z.int(), solid: z.int() });

/** Starts the process and waits until it answers. By default blocks come on command only. */
export async function startTronDouble(
  { evmUrl, ports = [0], blockMs = 0, unsolidified = 18, stateFile = null }: DoubleOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LocalTron> {
  const settings = JSON.stringify({ evmUrl, ports, blockMs, unsolidified, stateFile });
  const child = spawn(process.execPath, [new URL("main.ts", import.meta.url).pathname, settings], { stdio: ["pipe", "pipe", "pipe"], env });
  const exited = once(child, "exit").then(() => undefined);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) if (lines.push(line) === 2) break;
  const [face = "", ready] = lines;
  if (ready === undefined) throw new Trouble(`The double of a Tron node did not start: ${/Error: (.*)/.exec(said)?.[1] ?? "no reason"}`);
  const { urls } = Ready.parse(JSON.parse(ready));
  return {
    face,
    urls,
    exited,
    async stop() {
      child.stdin.end();
      await exited;
    },
    async steer(order, node = 0) {
      const response = await fetch(`${urls[node]}/double`, { method: "POST", body: JSON.stringify(order) });
      return Place.parse(await response.json());
    },
  };
}
