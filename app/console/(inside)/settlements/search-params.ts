import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS, VIEW_PARAMS, type ViewParams } from "#domain/settlement-view.ts";
import { oneOf, type SetParams as SetOf, text, wholeNumber } from "../../_components/lists/address-params.ts";
import { beginOf, endOf, given, listParams, type ParamsOf } from "../../_components/lists/list-params.ts";

export const SETTLEMENTS = listParams(
  {
    view: oneOf(SETTLEMENT_VIEWS),
    approval: oneOf(APPROVAL_CHOICES),
    lapsed: oneOf(["yes"]),
    partner: text,
    source: text,
    destination: text,
    chain: text,
    merchant: text,
    /** The items of a batch. */
    batch: text,
    callbacks: oneOf(CALLBACK_STATES),
    amount_from: text,
    amount_to: text,
    /** Days in UTC, both inclusive; from a plot, the exact instants. */
    from: text,
    to: text,
    executed_from: text,
    executed_to: text,
    failure: text,
    /** For at least this many minutes. */
    processing: wholeNumber,
    failed: oneOf(["today"]),
    mine: oneOf(["decided"]),
    /** The saved view that was chosen; its name also shows changes since. */
    saved: text,
  },
  {
    passing: {
      q: text,
      as: oneOf(["tx_id", "tx_hash", "wallet", "external_id", "merchant"]),
      /** The settlement shown next to the list. */
      peek: text,
    },
    /** The ids of the optional columns shown; absent: as last used in this browser. */
    apart: { columns: text },
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
  const said = VIEW_PARAMS.map((name) => [name, SETTLEMENTS.params[name](kept[name] ?? null)]);
  return { ...SETTLEMENTS.fromTheTop, ...Object.fromEntries(said) };
}

export function isSameView(left: ViewParams, right: ViewParams): boolean {
  return VIEW_PARAMS.every((name) => left[name] === right[name]);
}
