import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { z } from "zod";
import { Cluster, type ClusterState } from "./cluster.ts";
import { openFaucet } from "./faucet.ts";
import { portOf, serveNode } from "./rpc-server.ts";

/**
 * The local Solana cluster: one process, with a node on each of its ports. It prints one line once it answers, and ends when its input does, so never later than who started it.
 */
const Settings = z.object({
  ports: z.array(z.int().min(0)).min(1),
  /** How long a slot takes; 0: blocks come on command only. */
  slotMs: z.int().min(0),
  /** How many blocks on top make a block final. */
  finalizedBehind: z.int().min(0),
  /** Kept across restarts; null: the cluster is forgotten at the end. */
  stateFile: z.string().nullable(),
});

async function main(): Promise<void> {
  const { ports, slotMs, finalizedBehind, stateFile } = Settings.parse(JSON.parse(process.argv[2] ?? ""));
  const kept = stateFile !== null && existsSync(stateFile) ? (deserialize(readFileSync(stateFile)) as ClusterState) : undefined;
  const cluster = new Cluster(kept);
  const faucet = await openFaucet(cluster);
  // So that mints and first blocks are final from the start.
  if (kept === undefined) cluster.produce(finalizedBehind + 1);
  const servers = await Promise.all(ports.map((port) => serveNode(cluster, faucet, { port, finalizedBehind })));
  let saved = 0;
  const save = () => {
    if (stateFile === null || saved === cluster.landed.size) return;
    saved = cluster.landed.size;
    writeFileSync(`${stateFile}.draft`, serialize(cluster.state()), { mode: 0o600 });
    renameSync(`${stateFile}.draft`, stateFile);
  };
  if (slotMs > 0) setInterval(() => cluster.produce(), slotMs);
  setInterval(save, 1_000);
  const end = () => {
    saved = -1;
    save();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, end);
  process.stdin.once("end", end).resume();
  process.stdout.write(`${JSON.stringify({ ports: servers.map(portOf), genesisHash: cluster.genesisHash })}\n`);
}

await main();
