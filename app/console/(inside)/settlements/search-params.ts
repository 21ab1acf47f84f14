import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS, VIEW_PARAMS, type ViewParams } from "#domain/settlement-view.ts";
import { beginOf, endOf, given, listParams, type ParamsOf, type SetParams as SetOf } from "../../_components/lists/list-params.ts";

export const SETTLEMENTS = listParams(
  {
    view: parseAsStringLiteral(SETTLEMENT_VIEWS),
    approval: parseAsStringLiteral(APPROVAL_CHOICES),
    lapsed: parseAsStringLiteral(["yes"] as const),
    partner: parseAsString,
    source: parseAsString,
    destination: parseAsString,
    chain: parseAsString,
    merchant: parseAsString,
    /** The items of a batch. */
    batch: parseAsString,
    callbacks: parseAsStringLiteral(CALLBACK_STATES),
    amount_from: parseAsString,
    amount_to: parseAsString,
    /** Days in UTC, both inclusive; from a plot, the exact instants. */
    from: parseAsString,
    to: parseAsString,
    executed_from: parseAsString,
    executed_to: parseAsString,
    failure: parseAsString,
    /** For at least this many minutes. */
    processing: parseAsInteger,
    failed: parseAsStringLiteral(["today"] as const),
    mine: parseAsStringLiteral(["decided"] as const),
    /** The saved view that was chosen; its name also shows changes since. */
    saved: parseAsString,
  },
  {
    passing: {
      q: parseAsString,
      as: parseAsStringLiteral(["tx_id", "tx_hash", "wallet", "external_id", "merchant"] as const),
      /** The settlement shown next to the list. */
      peek: parseAsString,
    },
    /** The ids of the optional columns shown; absent: as last used in this browser. */
    apart: { columns: parseAsString },
  },
);
export type ListParams = ParamsOf<typeof SETTLEMENTS>;
export type SetParams = SetOf<ListParams>;

/** The filter for the procedures. */
export function filterOf(params: ListParams) {
  const { view, approval, lapsed, partner, source, destination, chain, merchant, batch, callbacks, failure, processing, failed, mine } =
    params;
  return given({
    view,
    approval,
    lapsed: lapsed !== null,
    partner_id: partner,
    source_currency: source,
    destination_currency: destination,
    chain,
    merchant,
    batch_id: batch?.slice(0, 64),
    callbacks,
    failure,
    failed_today: failed !== null,
    decided_by_me: mine !== null,
    ...(source && { amount_from: params.amount_from, amount_to: params.amount_to }),
    created_from: beginOf(params.from),
    created_to: endOf(params.to),
    executed_from: beginOf(params.executed_from),
    executed_to: endOf(params.executed_to),
    processing_minutes: processing !== null && processing >= 1 && processing <= 100_000 && processing,
  });
}

/** The page for the procedure. */
export function pageOf(params: ListParams) {
  return { ...filterOf(params), ...SETTLEMENTS.walkOf(params) };
}

/** The parts of the list's URL that a saved view keeps. */
export function viewParamsOf(params: ListParams): ViewParams {
  return Object.fromEntries(VIEW_PARAMS.flatMap((name) => (params[name] === null ? [] : [[name, String(params[name])]])));
}

/** The list of a saved view. Parts of the view that are no longer valid are dropped. */
export function paramsOfView(kept: ViewParams): Partial<ListParams> {
  const said = VIEW_PARAMS.map((name) => [name, kept[name] === undefined ? null : SETTLEMENTS.params[name].parse(kept[name])]);
  return { ...SETTLEMENTS.fromTheTop, ...Object.fromEntries(said) };
}

export function isSameView(left: ViewParams, right: ViewParams): boolean {
  return VIEW_PARAMS.every((name) => left[name] === right[name]);
}
