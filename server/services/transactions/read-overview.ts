import { type Attention, readAttention, readSetupSteps, SETUP_STEPS, type SetupStep } from "#db/queries/attention.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import * as overview from "#db/queries/overview.ts";
import { listRateAges } from "#db/queries/vitals.ts";
import type { Uses } from "#server/context.ts";
import { Refusal } from "#server/domain/refusal.ts";
import type { RateAge } from "#server/domain/vitals.ts";

export type ReadOverview = {
  /** null: an operator's, over all partners. */
  partnerId: string | null;
  /** Business time. The newest 92 days at most; left out: the 24 hours until now. */
  from?: Date;
  to?: Date;
};

/** The figures of one range. Shares from 0 to 1; null: nothing to measure. */
export type KeyFigures = {
  created: number;
  executed: number;
  failed: number;
  /** Executed of those that came to an end on the chain. */
  successShare: number | null;
  lapsed: number;
  executionSeconds: number | null;
  decisionSeconds: number | null;
  /** One point a pair. */
  volume: overview.VolumePoint[];
};

export type Overview = {
  now: Date;
  from: Date;
  to: Date;
  /** How long each point of the series is, in seconds; points begin at its multiples in UTC. Points without anything are left out. */
  spanSeconds: number;
  attention: Attention;
  rates: RateAge[];
  figures: { current: KeyFigures; before: KeyFigures };
  outcomes: overview.OutcomeCount[];
  volume: overview.VolumePoint[];
  volumeBefore: overview.VolumePoint[];
  funnel: { created: number; confirmed: number; executed: number; lapsed: number; cancelled: number; rejected: number; failed: number };
  execution: overview.ExecutionTime[];
  approvalAges: overview.ApprovalAge[];
  callbacks: overview.CallbackSuccess[];
  /** Of a partner alone, until its first callback has arrived. */
  setup: { step: SetupStep; done: boolean }[] | null;
};

const DAY_MS = 86_400_000;
const LONGEST_MS = 92 * DAY_MS;
/** Spans such that a range has some tens of points, and never more than about a hundred. */
const SPANS: readonly [upToMs: number, seconds: number][] = [
  [2 * 3_600_000, 300],
  [3 * DAY_MS, 3_600],
  [14 * DAY_MS, 6 * 3_600],
];

/**
 * What the first page shows, for an operator over all partners or for one partner: what wants attention, the figures against the
 * period before, and the series behind the plots. Bounded by the range; business time. Measured on two busy cores over 100,000
 * settlements of a month: 30 days 0.5 s for an operator, 0.7 s for the partner with two thirds of them; 24 hours 60 ms.
 *
 * @throws Refusal `validation_failed` for a range that ends before it begins or is longer than 92 days.
 */
export async function readOverview(ctx: Uses<"db">, { partnerId, ...range }: ReadOverview): Promise<Overview> {
  const now = await readBusinessNow(ctx.db);
  const to = range.to ?? now;
  const from = range.from ?? new Date(to.getTime() - DAY_MS);
  const length = to.getTime() - from.getTime();
  if (!(length > 0 && length <= LONGEST_MS)) {
    throw new Refusal("validation_failed", {
      errors: [{ pointer: "/from", code: "invalid", message: "must be before `to`, by at most 92 days" }],
    });
  }
  const spanSeconds = SPANS.find(([upTo]) => length <= upTo)?.[1] ?? 86_400;
  const scope = { partnerId, from, to };
  const before = { partnerId, from: new Date(from.getTime() - length), to: from };
  const { db } = ctx;
  // One after the other: an overview must not take the whole pool from the surfaces.
  const outcomes = await overview.countOutcomes(db, scope, spanSeconds);
  const volume = await overview.sumVolume(db, scope, spanSeconds);
  const outcomesBefore = await overview.countOutcomes(db, before, spanSeconds);
  const volumeBefore = await overview.sumVolume(db, before, spanSeconds);
  return {
    ...{ now, from, to, spanSeconds, outcomes, volume, volumeBefore },
    attention: await readAttention(db, partnerId),
    rates: await listRateAges(db),
    figures: {
      current: keyFigures(outcomes, volume, await overview.readMedians(db, scope)),
      before: keyFigures(outcomesBefore, volumeBefore, await overview.readMedians(db, before)),
    },
    funnel: funnelOf(outcomes),
    execution: await overview.measureExecution(db, scope, spanSeconds),
    approvalAges: await overview.countApprovalAges(db, scope),
    callbacks: await overview.countCallbackSuccess(db, scope, spanSeconds),
    setup: partnerId === null ? null : await readSetup(ctx, partnerId),
  };
}

async function readSetup(ctx: Uses<"db">, partnerId: string): Promise<Overview["setup"]> {
  const done = await readSetupSteps(ctx.db, partnerId);
  return SETUP_STEPS.every((step) => done[step]) ? null : SETUP_STEPS.map((step) => ({ step, done: done[step] }));
}

type Countable = Exclude<keyof overview.OutcomeCount, "at">;

function total(outcomes: readonly overview.OutcomeCount[], ...names: Countable[]): number {
  return outcomes.reduce((sum, point) => names.reduce((inner, name) => inner + point[name], sum), 0);
}

function created(outcomes: readonly overview.OutcomeCount[]): number {
  return total(outcomes, "quoted", "awaiting", "lapsed", "processing", "executed", "failed", "cancelled", "rejected");
}

function funnelOf(outcomes: readonly overview.OutcomeCount[]): Overview["funnel"] {
  const of = (name: Countable) => total(outcomes, name);
  return {
    created: created(outcomes),
    ...{ confirmed: of("confirmed"), executed: of("executed"), lapsed: of("lapsed") },
    ...{ cancelled: of("cancelled"), rejected: of("rejected"), failed: of("failed") },
  };
}

function keyFigures(
  outcomes: readonly overview.OutcomeCount[],
  volume: readonly overview.VolumePoint[],
  medians: { executionSeconds: number | null; decisionSeconds: number | null },
): KeyFigures {
  const executed = total(outcomes, "executed");
  const failed = total(outcomes, "failed");
  const ended = executed + failed;
  return {
    ...{ created: created(outcomes), executed, failed, lapsed: total(outcomes, "lapsed"), ...medians },
    successShare: ended === 0 ? null : executed / ended,
    volume: perPair(volume),
  };
}

function perPair(volume: readonly overview.VolumePoint[]): overview.VolumePoint[] {
  const pairs = new Map<string, overview.VolumePoint>();
  for (const point of volume) {
    const name = `${point.sourceCurrency} ${point.destinationCurrency} ${point.tokenDecimals}`;
    const sum = pairs.get(name) ?? { ...point, count: 0, sourceAmountMinor: 0n, destinationAmountBase: 0n };
    pairs.set(name, {
      ...sum,
      count: sum.count + point.count,
      sourceAmountMinor: sum.sourceAmountMinor + point.sourceAmountMinor,
      destinationAmountBase: sum.destinationAmountBase + point.destinationAmountBase,
    });
  }
  return [...pairs.values()];
}
