import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { callNode } from "#sandbox/chain/rpc.ts";
import { Trouble } from "#server/process/trouble.ts";

export type ClusterOptions = { ports?: readonly number[]; slotMs?: number; finalizedBehind?: number; stateFile?: string | null };

/** The local Solana cluster, in a process of its own. */
export type LocalCluster = {
  /** A node each. */
  urls: readonly string[];
  genesisHash: string;
  /** CAIP-2. */
  chain: string;
  /** Settles when the process ends. */
  exited: Promise<void>;
  stop(): Promise<void>;
  /** A call to one of its nodes; those that begin with `sandbox_` steer it. */
  call(method: string, params?: readonly unknown[], node?: number): Promise<unknown>;
};

const Ready = z.object({ ports: z.array(z.int()), genesisHash: z.string() });

/** Starts the process and waits until it answers. Blocks come each `slotMs`; by default, on command only. */
export async function startCluster({
  ports = [0],
  slotMs = 0,
  finalizedBehind = 32,
  stateFile = null,
}: ClusterOptions = {}): Promise<LocalCluster> {
  const settings = JSON.stringify({ ports, slotMs, finalizedBehind, stateFile });
  const child = spawn(process.execPath, [new URL("main.ts", import.meta.url).pathname, settings], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit").then(() => undefined);
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), exited.then(() => [null])]);
  if (typeof line !== "string")
    throw new Trouble("The local Solana cluster did not start: its runtime (litesvm) is there for Linux on x64 only.");
  const { ports: own, genesisHash } = Ready.parse(JSON.parse(line));
  const urls = own.map((port) => `http://127.0.0.1:${port}`);
  return {
    urls,
    genesisHash,
    chain: `solana:${genesisHash.slice(0, 32)}`,
    exited,
    async stop() {
      child.stdin.end();
      await exited;
    },
    call: (method, params = [], node = 0) => callNode(urls[node] ?? "", method, params),
  };
}
