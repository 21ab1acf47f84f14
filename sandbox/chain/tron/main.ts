/**
 * The double of a Tron network: one process, with a node on each of its ports, over an EVM that another process runs. Its first line says what
 * it is, its second one where it answers. It ends when its input does.
 */
import { z } from "zod";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import { DOUBLE_NAME, DoubleChain, type Kept } from "./double-chain.ts";
import { startDoubleNode } from "./double-node.ts";
import { appendChange, readChanges } from "./kept-changes.ts";

const Settings = z.strictObject({
  /** A development node. */
  evmUrl: z.url(),
  ports: z.array(z.int().min(0)).min(1),
  /** How long a block takes; 0: blocks come on command only. */
  blockMs: z.int().min(0),
  unsolidified: z.int().min(0),
  /** Kept across restarts; null: the network is forgotten at the end. */
  stateFile: z.string().nullable().default(null),
});

async function main(): Promise<void> {
  if (process.env.MODE === "live") throw new Error("This is a double of a Tron node: live mode never pays on it.");
  const { evmUrl, ports, blockMs, unsolidified, stateFile } = Settings.parse(JSON.parse(process.argv[2] ?? ""));
  process.stdout.write(`${DOUBLE_NAME}: ${TRON_DOUBLE}\n`);
  const kept = stateFile === null ? [] : readChanges(stateFile);
  const keep = stateFile === null ? {} : { kept, keep: (change: Kept) => appendChange(stateFile, change) };
  const chain = new DoubleChain(evmUrl, { unsolidified, followsClock: blockMs > 0, ...keep });
  await chain.mine(kept.length > 0 ? 1 : unsolidified + 1);
  const nodes = await Promise.all(ports.map((port, place) => startDoubleNode(chain, `tron-double-${place + 1}`, port)));
  let making = Promise.resolve();
  if (blockMs > 0)
    setInterval(() => {
      making = making.then(() => chain.mine()).catch((error: unknown) => void process.stderr.write(`no block was made: ${error}\n`));
    }, blockMs);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(0));
  process.stdin.once("end", () => process.exit(0)).resume();
  process.stdout.write(`${JSON.stringify({ urls: nodes.map(({ url }) => url) })}\n`);
}

await main();
