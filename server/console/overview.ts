import { z } from "zod";
import { instant } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { fiatAmount, sumByCurrency, tokenAmount } from "#domain/money.ts";
import { minorOf } from "#domain/open-quotes.ts";
import { daysIn, OVERVIEW_RANGES, type OverviewLook, type Period } from "#domain/overview-range.ts";
import { mayLag, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { browseSettlements } from "#server/services/settlements/browse-settlements.ts";
import { readOverview } from "#server/services/transactions/read-overview.ts";
import { type KeyFigures, readOverviewFigures, readOverviewSeries } from "#server/services/transactions/read-overview-figures.ts";
import { renderSettlementRow } from "./settlement-rows.ts";

/** The period: a range that ends now, or days in UTC, both inclusive. */
const overviewLook = z
  .union([z.strictObject({ range: z.enum(OVERVIEW_RANGES) }), z.strictObject({ from: z.string(), to: z.string() })])
  .refine((asked) => "range" in asked || daysIn(asked) !== null, "names no days that can be looked at")
  .transform((asked): OverviewLook => ("range" in asked ? asked.range : asked));

/** The overview page: for a partner's users their own data, for operators everybody's. Three queries, so that each can fail alone. */
export const overviewRouter = router({
  now: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const overview = await readOverview(services, { partnerId: holder.partnerId });
    return {
      now: instant(overview.now),
      attention: {
        ...toWire(overview.attention, "awaitingApproval", "oldestApprovalAt", "approvedUnconfirmed", "undeliveredCallbacks", "anyCallback"),
        ...toWire(
          overview.attention,
          "retryingCallbacks",
          "slowProcessing",
          "needsReview",
          "ambiguousOrders",
          "heldPayments",
          "haltedLanes",
        ),
      },
      halted: overview.halted,
      inside: overview.inside && {
        rates: overview.inside.rates.map((rate) => toWire(rate, "pair", "ageSeconds", "fresh")),
        exposures: overview.inside.exposures.map(({ openMinor, lossAtto, ...exposure }) => ({
          ...toWire(exposure, "pair", "currency", "quotes"),
          open: fiatAmount(openMinor, exposure.currency),
          loss: fiatAmount(minorOf(lossAtto, exposure.currency), exposure.currency),
        })),
        attested_at: overview.inside.attestedAt && instant(overview.inside.attestedAt),
        runway: overview.inside.runway.map(({ amountBase, usedBase, tokenDecimals, isNative, ...coin }) => ({
          ...toWire(coin, "chain", "currency", "wallets", "lowWallets", "lowAddresses", "hours"),
          native: isNative,
          balance: tokenAmount(amountBase, tokenDecimals),
          used_24h: tokenAmount(usedBase, tokenDecimals),
        })),
      },
      setup: overview.setup,
    };
  }),

  /** The ten newest settlements. */
  newest: personProcedure.use(mayLag).query(async ({ ctx: { services, holder } }) => {
    const page = { filter: tenantOf(holder), limit: 10, position: null, direction: "older" } as const;
    return (await browseSettlements(services, page)).items.map((item) => renderSettlementRow(item));
  }),

  figures: personProcedure
    .use(mayLag)
    .input(overviewLook)
    .query(async ({ ctx: { services, holder }, input: look }) => {
      const { partnerId } = holder;
      const found = await readOverviewFigures(services, { partnerId, look });
      return {
        now: instant(found.now),
        period: period(found.period),
        span_seconds: found.spanSeconds,
        current: renderFigures(found.figures.current, partnerId === null),
        before: renderFigures(found.figures.before, partnerId === null),
        outcomes: renderPoints(found.outcomes),
        callbacks: renderPoints(found.callbacks),
        funnel: found.funnel,
      };
    }),

  series: personProcedure
    .use(mayLag)
    .input(overviewLook)
    .query(async ({ ctx: { services, holder }, input: look }) => {
      const found = await readOverviewSeries(services, { partnerId: holder.partnerId, look });
      return {
        period: period(found.period),
        before: period(found.before),
        span_seconds: found.spanSeconds,
        volume: found.volume.map(renderVolume),
        volume_before: found.volumeBefore.map(renderVolume),
        execution: found.execution.map((point) => toWire(point, "at", "chain", "count", "p50Seconds", "p95Seconds")),
        approval_ages: found.approvalAges.map((age) => toWire(age, "upToSeconds", "waiting", "decided")),
        decisions: renderPoints(found.decisions),
      };
    }),
});

/** What one pair delivered in one span. */
function renderVolume(point: KeyFigures["volume"][number]) {
  return {
    ...toWire(point, "at", "sourceCurrency", "destinationCurrency", "count"),
    source_amount: fiatAmount(point.sourceAmountMinor, point.sourceCurrency),
    destination_amount: tokenAmount(point.destinationAmountBase, point.tokenDecimals),
  };
}

/** `inside`: with what only the operator measures itself by. */
function renderFigures(figures: KeyFigures, inside: boolean) {
  const delivered = figures.volume.map(({ destinationCurrency, destinationAmountBase, tokenDecimals }) => {
    return { currency: destinationCurrency, base: destinationAmountBase, tokenDecimals };
  });
  return {
    ...toWire(figures, "created", "executed", "successShare", "lapsed", "executionSeconds", "callbackShare"),
    decision_seconds: inside ? figures.decisionSeconds : null,
    lapsed_amounts: sumByCurrency(figures.lapsedAmounts),
    volume: sumByCurrency(delivered),
  };
}

const period = (of: Period) => toWire(of, "from", "to");

/** Points of a series keep their figures; their instant is written as every instant is. */
function renderPoints<Point extends { at: Date }>(points: readonly Point[]): (Omit<Point, "at"> & { at: string })[] {
  return points.map((point) => ({ ...point, at: instant(point.at) }));
}
