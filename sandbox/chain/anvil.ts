import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type GuardedProcess, startGuarded } from "#sandbox/guarded-process.ts";
import { Trouble } from "#server/process/trouble.ts";
import { callNode } from "./rpc.ts";

/** The chain id of development nodes: nothing real lives there. */
export const CHAIN_ID = 31337;
/** CAIP-2. */
export const CHAIN = "eip155:31337";
/** Blocks, its own included, until a transaction counts as final here. */
export const CONFIRMATIONS = 3;

export type AnvilOptions = {
  port: number;
  /** Takes what the node prints. */
  logFile: string;
  /** Kept across restarts, written every second. Left out, the chain is forgotten at the end. */
  stateFile?: string;
  /** Another kind of network than Ethereum's; of Tempo's, with the rules of that hard fork. */
  network?: { name: "optimism" } | { name: "tempo"; hardfork: "T3" };
  /** Left out: that of development nodes. */
  chainId?: number;
  /** The block time in seconds. Without it, each transaction is mined at once, in its own block. */
  blockTimeSeconds?: number;
  /** Called with the process id, for a later start that finds it left behind. */
  pidFile?: string;
};

/** Blocks whose state the node keeps on disk. By default it keeps each block's, in the home folder, and never deletes them. */
const KEPT_STATES = 1_000;

/**
 * Starts the development node's own binary (one process, no wrapper around it) and waits until it answers. It can tell balances of the last
 * thousand blocks or more. A folder next to the log has their states. The end and the next start delete that folder.
 */
export async function startAnvil(options: AnvilOptions): Promise<GuardedProcess> {
  const states = `${options.logFile}.states`;
  const forget = () => rmSync(states, { recursive: true, force: true });
  forget();
  const args = ["--host", "127.0.0.1", "--port", String(options.port), "--chain-id", String(options.chainId ?? CHAIN_ID), "--silent"];
  args.push("--cache-path", states, "--max-persisted-states", String(KEPT_STATES));
  if (options.stateFile) args.push("--state", options.stateFile, "--state-interval", "1");
  if (options.network) args.push("--network", options.network.name);
  if (options.network && "hardfork" in options.network) args.push("--hardfork", options.network.hardfork);
  if (options.blockTimeSeconds) args.push("--block-time", String(options.blockTimeSeconds));
  try {
    const node = await startNode({ ...options, command: anvilBinary(), args });
    void node.exited.then(forget).catch(() => {});
    return node;
  } catch (error) {
    forget();
    throw error;
  }
}

type NodeOptions = Pick<AnvilOptions, "port" | "logFile" | "pidFile" | "chainId"> & { command: string; args: readonly string[] };

/** Starts a development node, and waits until it answers. @throws Trouble when it ends before, or does not answer in time. */
export async function startNode(options: NodeOptions): Promise<GuardedProcess> {
  const log = openSync(options.logFile, "a", 0o600);
  const node = startGuarded({
    command: options.command,
    args: options.args,
    endSignal: "TERM",
    log,
    ...(options.pidFile ? { pidFile: options.pidFile } : {}),
  });
  closeSync(log);
  const deadline = Date.now() + 30_000;
  while (node.ended() === null && Date.now() < deadline) {
    const chainId = await callNode(rpcUrl(options.port), "eth_chainId").catch(() => null);
    if (chainId === `0x${(options.chainId ?? CHAIN_ID).toString(16)}`) return node;
    await sleep(40);
  }
  await node.stop();
  throw new Trouble(`The local chain did not start (${node.ended()}): see ${options.logFile}, or set CHAIN_RPC_URL to a development node.`);
}

export function rpcUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The one among the packages; for platforms without one, Foundry's own installation. */
export function anvilBinary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`);
  } catch {
    const installed = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "anvil"));
    const found = installed.find((file) => existsSync(file));
    if (found !== undefined) return found;
    throw new Trouble(
      `There is no local chain for this machine (${name}): install Foundry (anvil), or set CHAIN_RPC_URL to a development node.`,
    );
  }
}
