import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { FiatStatus } from "#domain/fiat.ts";
import { beginOf, endOf, given, listParams, type ParamsOf, uuidOf } from "../../_components/lists/list-params.ts";

/** Repeated here because their own module also signs, which no browser can. */
export const FIAT_STATUSES = ["pending", "processing", "completed", "failed"] as const satisfies readonly FiatStatus[];
export const TABS = ["pool", "withdrawals", "topups"] as const;

/** `of`: a member's id; `from`, `to`: days in UTC, both inclusive. `new`: an open form, `member`: its member, by external id. */
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
    apart: {
      tab: parseAsStringLiteral(TABS),
      new: parseAsStringLiteral(["withdrawal", "topup"] as const),
      member: parseAsString,
    },
  },
);
export type FiatParams = ParamsOf<typeof ORDERS>;

/** The filter for the procedures; invalid values are dropped. */
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

/** The page of orders for the procedures. */
export function pageOf(params: FiatParams) {
  return { ...filterOf(params), ...ORDERS.walkOf(params) };
}
