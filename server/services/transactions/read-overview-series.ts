import * as overview from "#db/queries/overview/overview.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { type Period, periodsUntil } from "#domain/overview-range.ts";
import type { Uses } from "#server/context.ts";
import type { ReadOverview } from "./read-overview-figures.ts";

export type OverviewSeries = {
  period: Period;
  before: Period;
  spanSeconds: number;
  /** Points without anything are left out. */
  volume: overview.VolumePoint[];
  volumeBefore: overview.VolumePoint[];
  execution: overview.ExecutionTime[];
  approvalAges: overview.ApprovalAge[];
  decisions: overview.DecisionCount[];
};

/** What was delivered, how long that took and how decisions went, point by point over a range. Bounded by the range; business time. */
export async function readOverviewSeries(ctx: Uses<"db">, { partnerId, look }: ReadOverview): Promise<OverviewSeries> {
  const { db } = ctx;
  const { current, before, spanSeconds } = periodsUntil(await readBusinessNow(db), look);
  const scope = { partnerId, ...current };
  return {
    ...{ period: current, before, spanSeconds },
    volume: await overview.sumVolume(db, scope, spanSeconds),
    volumeBefore: await overview.sumVolume(db, { partnerId, ...before }, spanSeconds),
    execution: await overview.measureExecution(db, scope, spanSeconds),
    approvalAges: await overview.countApprovalAges(db, scope),
    decisions: await overview.countDecisions(db, scope, spanSeconds),
  };
}
