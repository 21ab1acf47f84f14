import {
  overviewLook,
  renderAttention,
  renderFigures,
  renderPeriod,
  renderPoints,
  renderRateAge,
  renderRunway,
  renderVolume,
} from "#contract/console/overview.ts";
import { instant } from "#contract/primitives.ts";
import { personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { browseSettlements } from "#server/services/settlements/browse-settlements.ts";
import { readOverview } from "#server/services/transactions/read-overview.ts";
import { readOverviewFigures } from "#server/services/transactions/read-overview-figures.ts";
import { readOverviewSeries } from "#server/services/transactions/read-overview-series.ts";
import { renderSettlementRow } from "./settlement-rows.ts";

/** What the first page shows: a partner's people their own, the operator's everybody's. Three questions, so that one may fail alone. */
export const overviewRouter = router({
  now: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const overview = await readOverview(services, { partnerId: holder.partnerId });
    return {
      now: instant(overview.now),
      attention: renderAttention(overview.attention),
      halted: overview.halted.map((pair) => `${pair.sourceCurrency}/${pair.destinationCurrency}`),
      inside: overview.inside && { rates: overview.inside.rates.map(renderRateAge), runway: overview.inside.runway.map(renderRunway) },
      setup: overview.setup,
    };
  }),

  /** The ten newest settlements. */
  newest: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const page = { filter: tenantOf(holder), limit: 10, position: null, direction: "older" } as const;
    return (await browseSettlements(services, page)).items.map((item) => renderSettlementRow(item, []));
  }),

  figures: personProcedure.input(overviewLook).query(async ({ ctx: { services, holder }, input: look }) => {
    const { partnerId } = holder;
    const found = await readOverviewFigures(services, { partnerId, look });
    return {
      now: instant(found.now),
      period: renderPeriod(found.period),
      span_seconds: found.spanSeconds,
      current: renderFigures(found.figures.current, partnerId === null),
      before: renderFigures(found.figures.before, partnerId === null),
      outcomes: renderPoints(found.outcomes),
      callbacks: renderPoints(found.callbacks),
      funnel: found.funnel,
    };
  }),

  series: personProcedure.input(overviewLook).query(async ({ ctx: { services, holder }, input: look }) => {
    const found = await readOverviewSeries(services, { partnerId: holder.partnerId, look });
    return {
      period: renderPeriod(found.period),
      before: renderPeriod(found.before),
      span_seconds: found.spanSeconds,
      volume: found.volume.map(renderVolume),
      volume_before: found.volumeBefore.map(renderVolume),
      execution: found.execution.map(({ at, chain, count, p50Seconds, p95Seconds }) => ({
        ...{ at: instant(at), chain, count, p50_seconds: p50Seconds, p95_seconds: p95Seconds },
      })),
      approval_ages: found.approvalAges.map(({ upToSeconds, waiting, decided }) => ({ up_to_seconds: upToSeconds, waiting, decided })),
      decisions: renderPoints(found.decisions),
    };
  }),
});
