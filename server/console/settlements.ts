import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire } from "#contract/wire.ts";
import { isId } from "#domain/ids.ts";
import { mayLag, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import type { Uses } from "#server/context.ts";
import { listUndeliveredCallbacks } from "#server/services/callbacks/read-callbacks.ts";
import { listPartners } from "#server/services/partners/read-partners.ts";
import { listExchangeRates } from "#server/services/rates/read-rates.ts";
import {
  type BrowsedSettlement,
  type BrowseFilter,
  browseSettlements,
  countSettlements,
  readRows,
} from "#server/services/settlements/browse-settlements.ts";
import { measureExport } from "#server/services/settlements/export-settlements.ts";
import { listWaits } from "#server/services/settlements/list-waits.ts";
import { searchSettlements } from "#server/services/settlements/search-settlements.ts";
import { oneSettlementProcedures } from "./one-settlement.ts";
import { readFilter, settlementFilter } from "./settlement-filter.ts";
import { renderSettlementRow } from "./settlement-rows.ts";
import { readSince, readWalk, renderWalked, sinceField, walkFields } from "./walk.ts";

const isOwn = (id: string) => isId("settlement", id);
const search = fromWire({ text: plainText(1, 512), as: z.enum(["tx_id", "tx_hash", "wallet", "external_id", "merchant"]).optional() });

/** Settlements: for a partner's users their own, for operators everybody's. */
export const settlementsRouter = router({
  list: personProcedure
    .use(mayLag)
    .input(settlementFilter.extend(walkFields))
    .query(async ({ ctx: { services, holder }, input }) => {
      const { limit, cursor, direction, ...filter } = input;
      const walk = readWalk({ limit, cursor, direction }, isOwn);
      const page = await browseSettlements(services, { filter: readFilter(filter, holder), ...walk });
      return renderWalked({ ...page, items: await showRows(services, page.items) }, (row) => row);
    }),

  count: personProcedure
    .use(mayLag)
    .input(settlementFilter)
    .query(async ({ ctx: { services, holder }, input }) => {
      return await countSettlements(services, readFilter(input, holder));
    }),

  /** How many rows a file of all of them would have. */
  exportSize: personProcedure.input(settlementFilter).query(async ({ ctx: { services, holder }, input }) => {
    return await measureExport(services, readFilter(input, holder));
  }),

  /** How many were created since the first row in sight, to at most a hundred. */
  since: personProcedure
    .use(mayLag)
    .input(settlementFilter.extend(sinceField))
    .query(async ({ ctx: { services, holder }, input }) => {
      const { cursor, ...filter } = input;
      const page = await browseSettlements(services, { filter: readFilter(filter, holder), ...readSince(cursor, isOwn) });
      return { count: page.items.length };
    }),

  /** The present state of visible rows; those of others are omitted. */
  rows: personProcedure
    .input(z.strictObject({ tx_ids: z.array(plainText(1, 64)).max(100) }))
    .query(async ({ ctx: { services, holder }, input }) => {
      return await showRows(services, await readRows(services, { ids: input.tx_ids, ...tenantOf(holder) }));
    }),

  /** The number of settlements that need attention, by kind, for the tiles above the list. */
  tiles: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const count = async (filter: BrowseFilter) => await countSettlements(services, { ...tenantOf(holder), ...filter });
    const [all, awaiting_approval, processing, failed_today, undelivered] = await Promise.all([
      count({}),
      count({ view: "awaiting_approval" }),
      count({ view: "processing" }),
      count({ failedToday: true }),
      count({ callbackState: "undelivered" }),
    ]);
    return { all, awaiting_approval, processing, failed_today, undelivered };
  }),

  /** What there is to choose from in the filters. */
  choices: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const [pairs, partners] = await Promise.all([
      listExchangeRates(services),
      holder.partnerId === null ? listPartners(services, { skip: 0, limit: 200 }) : { items: [] },
    ]);
    const distinct = (values: string[]) => [...new Set(values)].sort();
    return {
      source_currencies: distinct(pairs.map(({ sourceCurrency }) => sourceCurrency)),
      destination_currencies: distinct(pairs.map(({ destinationCurrency }) => destinationCurrency)),
      chains: services.chains.list().map(({ chain, name }) => ({ chain, name })),
      partners: partners.items.map(({ id, name }) => ({ id, name })),
    };
  }),

  search: personProcedure.input(search).query(async ({ ctx: { services, holder }, input }) => {
    const { kind, match, items } = await searchSettlements(services, { ...input, ...tenantOf(holder) });
    return { kind, match, data: await showRows(services, items) };
  }),

  ...oneSettlementProcedures,
});

async function showRows(services: Uses<"db">, items: readonly BrowsedSettlement[]) {
  const settlements = items.map(({ settlement }) => settlement);
  const undelivered = await listUndeliveredCallbacks(
    services,
    items.filter(({ callbacks }) => callbacks.undelivered > 0).map(({ settlement }) => settlement.id),
  );
  const waits = await listWaits(services, settlements);
  return items.map((item) => renderSettlementRow(item, undelivered.get(item.settlement.id), waits.get(item.settlement.id)));
}
