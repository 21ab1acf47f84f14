import type { Uses } from "#server/context.ts";
import {
  oneSettlement,
  type SettlementFilterInput,
  settlementFilter,
  settlementPage,
  settlementSearch,
} from "#server/contract/console/requests.ts";
import {
  renderHistory,
  renderPayment,
  renderQuote,
  renderSettlementRow,
  type SettlementRowWire,
} from "#server/contract/console/settlement.ts";
import { instant } from "#server/contract/primitives.ts";
import { renderCallback } from "#server/contract/settlement/v1/callbacks.ts";
import { readCursor, writeCursor } from "#server/contract/settlement/v1/cursor.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { listUndeliveredCallbacks } from "#server/services/callbacks/list-undelivered-callbacks.ts";
import type { SessionHolder } from "#server/services/people/authenticate-session.ts";
import {
  type BrowsedSettlement,
  type BrowseFilter,
  browseSettlements,
  countSettlements,
} from "#server/services/settlements/browse-settlements.ts";
import { readSettlementStory } from "#server/services/settlements/read-settlement-story.ts";
import { searchSettlements } from "#server/services/settlements/search-settlements.ts";
import { tellTime } from "#server/services/upkeep/tell-time.ts";
import { personProcedure, router, tenantOf } from "../init.ts";

/** Settlements as people look at them: a partner's people their own, the operator's everybody's. */
export const settlementsRouter = router({
  list: personProcedure.input(settlementPage).query(async ({ ctx: { services, holder }, input }) => {
    const { limit, cursor, direction, ...filter } = input;
    const position = cursor === undefined ? null : readCursor(cursor);
    if (cursor !== undefined && position === null) {
      throw new Refusal("validation_failed", {
        errors: [{ pointer: "/cursor", code: "malformed_cursor", message: "is no cursor of this list" }],
      });
    }
    const page = await browseSettlements(services, { filter: readFilter(filter, holder), limit, position, direction });
    return {
      data: await showRows(services, page.items),
      older_cursor: page.older && writeCursor(page.older),
      newer_cursor: page.newer && writeCursor(page.newer),
      first_cursor: page.items[0] ? writeCursor(page.items[0].settlement) : null,
    };
  }),

  count: personProcedure.input(settlementFilter).query(async ({ ctx: { services, holder }, input }) => {
    return await countSettlements(services, readFilter(input, holder));
  }),

  /** How many of the attention-wanting kinds there are, for the tiles above the list. */
  tiles: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const tenant = tenantOf(holder);
    const count = async (filter: BrowseFilter) => await countSettlements(services, { ...tenant, ...filter });
    const [all, awaiting, processing, failed, undelivered] = await Promise.all([
      count({}),
      count({ view: "awaiting_approval" }),
      count({ view: "processing" }),
      count({ view: "failed" }),
      count({ callbackState: "undelivered" }),
    ]);
    return { all, awaiting_approval: awaiting, processing, failed, undelivered };
  }),

  search: personProcedure.input(settlementSearch).query(async ({ ctx: { services, holder }, input }) => {
    const { text, as } = input;
    const found = await searchSettlements(services, { text, ...(as && { as }), ...tenantOf(holder) });
    return { kind: found.kind, match: found.match, data: await showRows(services, found.items) };
  }),

  byId: personProcedure.input(oneSettlement).query(async ({ ctx: { services, holder }, input }) => {
    const story = await readSettlementStory(services, { id: input.tx_id, ...tenantOf(holder) });
    const { settlement } = story;
    const inside = holder.partnerId === null;
    const undelivered = (await listUndeliveredCallbacks(services, [settlement.id])).get(settlement.id) ?? [];
    const row = renderSettlementRow(story, undelivered);
    return {
      ...row,
      /** The very text of `GET /api/v1/settlements/{tx_id}`, indented. */
      raw: JSON.stringify(row.settlement, null, 2),
      creation_callback_url: settlement.creationCallbackUrl,
      terminal_callback_url: settlement.callbackUrl,
      maximum_source_amount: story.maximumSourceMinor === null ? null : Number(story.maximumSourceMinor),
      quotes: story.quotes.map((quote) => renderQuote(quote, settlement.tokenDecimals, inside)),
      history: story.history.map((entry) => renderHistory(entry, inside)),
      payment: story.payment && renderPayment(story.payment, story.confirmationsNeeded, inside),
      callback_list: story.callbackList.map(renderCallback),
      now: instant(await tellTime(services)),
    };
  }),
});

/** The list's filter; the partner is the session's, and only the operator's people may name one. */
function readFilter(input: SettlementFilterInput, holder: SessionHolder): BrowseFilter {
  const own = tenantOf(holder);
  return {
    ...(own.partnerId === undefined && input.partner_id !== undefined ? { partnerId: input.partner_id } : own),
    ...(input.view && { view: input.view }),
    ...(input.source_currency && { sourceCurrency: input.source_currency }),
    ...(input.destination_currency && { destinationCurrency: input.destination_currency }),
    ...(input.chain && { chain: input.chain }),
    ...(input.merchant && { externalMerchantId: input.merchant }),
    ...(input.callbacks && { callbackState: input.callbacks }),
    ...(input.amount_from !== undefined && { amountFrom: BigInt(input.amount_from) }),
    ...(input.amount_to !== undefined && { amountTo: BigInt(input.amount_to) }),
    ...(input.created_from && { createdFrom: input.created_from }),
    ...(input.created_to && { createdTo: input.created_to }),
    ...(input.decided_by_me && own.partnerId === undefined && { decidedBy: holder.userId }),
  };
}

async function showRows(services: Uses<"db">, items: readonly BrowsedSettlement[]): Promise<SettlementRowWire[]> {
  const undelivered = await listUndeliveredCallbacks(
    services,
    items.filter(({ callbacks }) => callbacks.undelivered > 0).map(({ settlement }) => settlement.id),
  );
  return items.map((item) => renderSettlementRow(item, undelivered.get(item.settlement.id) ?? []));
}
