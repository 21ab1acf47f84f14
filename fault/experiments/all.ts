import type { Experiment } from "#fault/experiment.ts";
import { SANDBOX_FAMILIES } from "#server/config/sandbox-chains.ts";
import { badRequests } from "./bad-requests.ts";
import { batches } from "./batches.ts";
import { clocks } from "./clocks.ts";
import { crashPoints } from "./crash-points.ts";
import { crashStepsOn } from "./crash-steps.ts";
import { database, databasePooled } from "./database.ts";
import { diskFull } from "./disk-full.ts";
import { failover, failoverPooled } from "./failover.ts";
import { failoverNode } from "./failover-node.ts";
import { forgedRows } from "./forged-rows.ts";
import { frozenWorker } from "./frozen-worker.ts";
import { histories } from "./histories.ts";
import { kills, killsOn } from "./kills.ts";
import { lyingNode } from "./lying-node.ts";
import { lyingNodesOn } from "./lying-nodes.ts";
import { overload } from "./overload.ts";
import { receivers } from "./receivers.ts";
import { restore, restorePgbackrest } from "./restore.ts";
import { restoreOn } from "./restore-lapsing.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { sameRequest } from "./same-request.ts";
import { signedOut } from "./signed-out.ts";
import { tempo } from "./tempo.ts";

/** Every experiment, in the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = [
  kills,
  batches,
  lyingNode,
  sameRequest,
  forgedRows,
  receivers,
  database,
  databasePooled,
  frozenWorker,
  histories,
  badRequests,
  overload,
  restore,
  rollingRestart,
  clocks,
  crashPoints,
  diskFull,
  restorePgbackrest,
  failover,
  failoverPooled,
  failoverNode,
  signedOut,
  tempo,
  ...SANDBOX_FAMILIES.flatMap((family) => [killsOn(family), lyingNodesOn(family), restoreOn(family), crashStepsOn(family)]),
];
