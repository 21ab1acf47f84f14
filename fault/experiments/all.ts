import type { Experiment } from "#fault/experiment.ts";
import type { Family } from "#sandbox/settings.ts";
import { SANDBOX_FAMILIES } from "#server/config/sandbox-chains.ts";

type Load = () => Promise<Experiment>;

/** Every experiment by its name, in the order in which they run. Each is loaded alone: all of them together take longer to load than one takes to begin. */
const LOADS: Readonly<Record<string, Load>> = {
  kills: async () => (await import("./kills.ts")).kills,
  batches: async () => (await import("./batches.ts")).batches,
  "lying-node": async () => (await import("./lying-node.ts")).lyingNode,
  "same-request": async () => (await import("./same-request.ts")).sameRequest,
  "forged-rows": async () => (await import("./forged-rows.ts")).forgedRows,
  receivers: async () => (await import("./receivers.ts")).receivers,
  database: async () => (await import("./database.ts")).database,
  "database-pooled": async () => (await import("./database.ts")).databasePooled,
  "frozen-worker": async () => (await import("./frozen-worker.ts")).frozenWorker,
  histories: async () => (await import("./histories.ts")).histories,
  "bad-requests": async () => (await import("./bad-requests.ts")).badRequests,
  overload: async () => (await import("./overload.ts")).overload,
  restore: async () => (await import("./restore.ts")).restore,
  "rolling-restart": async () => (await import("./rolling-restart.ts")).rollingRestart,
  clocks: async () => (await import("./clocks.ts")).clocks,
  "crash-points": async () => (await import("./crash-points.ts")).crashPoints,
  "disk-full": async () => (await import("./disk-full.ts")).diskFull,
  "restore-pgbackrest": async () => (await import("./restore.ts")).restorePgbackrest,
  failover: async () => (await import("./failover.ts")).failover,
  "failover-pooled": async () => (await import("./failover.ts")).failoverPooled,
  "failover-node": async () => (await import("./failover-node.ts")).failoverNode,
  "signed-out": async () => (await import("./signed-out.ts")).signedOut,
  tempo: async () => (await import("./tempo.ts")).tempo,
  ...Object.assign({}, ...SANDBOX_FAMILIES.map(loadsOn)),
};

function loadsOn(family: Family): Record<string, Load> {
  return {
    [`kills-${family}`]: async () => (await import("./kills.ts")).killsOn(family),
    [`lying-node-${family}`]: async () => (await import("./lying-nodes.ts")).lyingNodesOn(family),
    [`restore-${family}`]: async () => (await import("./restore-lapsing.ts")).restoreOn(family),
    [`crash-points-${family}`]: async () => (await import("./crash-steps.ts")).crashStepsOn(family),
  };
}

/** The names of all experiments. */
export const NAMES: readonly string[] = Object.keys(LOADS);

/** Loads the experiments of these names, in their order. */
export function loadExperiments(names: readonly string[]): Promise<Experiment[]> {
  return Promise.all(Object.entries(LOADS).flatMap(([name, load]) => (names.includes(name) ? [load()] : [])));
}
