import { z } from "zod";
import { instant, instantOrNull } from "#contract/primitives.ts";
import { add, type Decimal, formatDecimal } from "#domain/decimal.ts";
import { baseToDecimal, fiatAmount } from "#domain/money.ts";
import { daysIn, OVERVIEW_RANGES, type OverviewLook, type Period } from "#domain/overview-range.ts";
import type { RateAge } from "#domain/vitals.ts";

/** What is looked at: a range that ends now, or days in UTC, both included. */
export const overviewLook = z
  .union([z.strictObject({ range: z.enum(OVERVIEW_RANGES) }), z.strictObject({ from: z.string(), to: z.string() })])
  .refine((asked) => "range" in asked || daysIn(asked) !== null, "names no days that can be looked at")
  .transform((asked): OverviewLook => ("range" in asked ? asked.range : asked));

/** An amount of one token, an exact decimal. Amounts of different currencies are never added up. */
export type TokenAmountWire = { currency: string; amount: string };

type Attention = {
  awaitingApproval: number;
  oldestApprovalAt: Date | null;
  approvedUnconfirmed: number;
  undeliveredCallbacks: number;
  retryingCallbacks: number;
  slowProcessing: number;
  needsReview: number;
  ambiguousOrders: number;
  haltedLanes: number;
};

export function renderAttention(attention: Attention) {
  return {
    awaiting_approval: attention.awaitingApproval,
    oldest_approval_at: instantOrNull(attention.oldestApprovalAt),
    approved_unconfirmed: attention.approvedUnconfirmed,
    undelivered_callbacks: attention.undeliveredCallbacks,
    retrying_callbacks: attention.retryingCallbacks,
    slow_processing: attention.slowProcessing,
    needs_review: attention.needsReview,
    ambiguous_orders: attention.ambiguousOrders,
    halted_lanes: attention.haltedLanes,
  };
}

type Runway = {
  chain: string;
  currency: string;
  tokenDecimals: number;
  amountBase: bigint;
  usedBase: bigint;
  low: boolean;
  hours: number | null;
};

export function renderRunway({ chain, currency, tokenDecimals, amountBase, usedBase, low, hours }: Runway) {
  const amount = (base: bigint) => formatDecimal(baseToDecimal(base, tokenDecimals));
  return { chain, currency, balance: amount(amountBase), used_24h: amount(usedBase), low, hours };
}

export function renderRateAge({ pair, ageSeconds, fresh }: RateAge) {
  return { pair, age_seconds: ageSeconds, fresh };
}

type Volume = {
  at: Date;
  sourceCurrency: string;
  destinationCurrency: string;
  tokenDecimals: number;
  count: number;
  sourceAmountMinor: bigint;
  destinationAmountBase: bigint;
};

/** What one pair delivered in one span. */
export type VolumePointWire = {
  at: string;
  source_currency: string;
  destination_currency: string;
  count: number;
  source_amount: string;
  destination_amount: string;
};

export function renderVolume(point: Volume): VolumePointWire {
  return {
    at: instant(point.at),
    source_currency: point.sourceCurrency,
    destination_currency: point.destinationCurrency,
    count: point.count,
    source_amount: fiatAmount(point.sourceAmountMinor, point.sourceCurrency),
    destination_amount: formatDecimal(baseToDecimal(point.destinationAmountBase, point.tokenDecimals)),
  };
}

type Figures = {
  created: number;
  executed: number;
  successShare: number | null;
  lapsed: number;
  lapsedAmounts: readonly { currency: string; tokenDecimals: number; base: bigint }[];
  executionSeconds: number | null;
  decisionSeconds: number | null;
  callbackShare: number | null;
  volume: readonly Volume[];
};

/** `inside`: with what only the operator measures itself by. */
export function renderFigures(figures: Figures, inside: boolean) {
  return {
    created: figures.created,
    executed: figures.executed,
    success_share: figures.successShare,
    lapsed: figures.lapsed,
    lapsed_amounts: addUp(figures.lapsedAmounts.map((each) => ({ ...each, decimal: baseToDecimal(each.base, each.tokenDecimals) }))),
    execution_seconds: figures.executionSeconds,
    decision_seconds: inside ? figures.decisionSeconds : null,
    callback_share: figures.callbackShare,
    volume: addUp(
      figures.volume.map((each) => ({
        currency: each.destinationCurrency,
        decimal: baseToDecimal(each.destinationAmountBase, each.tokenDecimals),
      })),
    ),
  };
}

/** One amount a token: a token may have other decimals on another chain. */
function addUp(amounts: readonly { currency: string; decimal: Decimal }[]): TokenAmountWire[] {
  const sums = new Map<string, Decimal>();
  for (const { currency, decimal } of amounts) sums.set(currency, add(sums.get(currency) ?? { coefficient: 0n, scale: 0 }, decimal));
  return [...sums]
    .map(([currency, sum]) => ({ currency, amount: formatDecimal(sum) }))
    .sort((a, b) => a.currency.localeCompare(b.currency));
}

export function renderPeriod({ from, to }: Period) {
  return { from: instant(from), to: instant(to) };
}

/** Points of a series keep their figures; their instant is written as every instant is. */
export function renderPoints<Point extends { at: Date }>(points: readonly Point[]): (Omit<Point, "at"> & { at: string })[] {
  return points.map((point) => ({ ...point, at: instant(point.at) }));
}
