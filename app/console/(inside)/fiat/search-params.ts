import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { FiatStatus } from "#domain/fiat.ts";
import { beginOf, endOf, given, listParams, type ParamsOf, uuidOf } from "../../_components/lists/list-params.ts";

/** Written here because their own module also signs, which no browser can. */
export const FIAT_STATUSES = ["pending", "processing", "completed", "failed"] as const satisfies readonly FiatStatus[];
export const TABS = ["pool", "withdrawals", "topups"] as const;

/** `of`: a member's id; `from`, `to`: days in UTC, both included. `new`: a form that is open, `member`: about whom, by external id. */
export const ORDERS = listParams(
  {
    q: parseAsString,
    partner: parseAsString,
    status: parseAsStringLiteral(FIAT_STATUSES),
    currency: parseAsString,
    of: parseAsString,
    from: parseAsString,
    to: parseAsString,
  },
  {
    beside: {
      tab: parseAsStringLiteral(TABS),
      new: parseAsStringLiteral(["withdrawal", "topup"] as const),
      member: parseAsString,
    },
  },
);
export type FiatParams = ParamsOf<typeof ORDERS>;

/** The filter as the procedures take it; what could be no value of its kind is left out. */
export function filterOf({ q, partner, status, currency, of, from, to }: FiatParams) {
  return given({
    search: q,
    partner_id: uuidOf(partner),
    status,
    currency,
    member_id: uuidOf(of),
    created_from: beginOf(from),
    created_to: endOf(to),
  });
}

/** The page of orders as the procedures take it. */
export function pageOf(params: FiatParams) {
  return { ...filterOf(params), ...ORDERS.walkOf(params) };
}
