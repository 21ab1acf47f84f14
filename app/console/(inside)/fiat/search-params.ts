import type { FiatStatus } from "#domain/fiat.ts";
import { oneOf, text } from "../../_components/lists/address-params.ts";
import { beginOf, endOf, given, listParams, type ParamsOf, uuidOf } from "../../_components/lists/list-params.ts";

/** Repeated here because their own module also signs, which no browser can. */
export const FIAT_STATUSES = ["pending", "processing", "completed", "failed"] as const satisfies readonly FiatStatus[];
export const TABS = ["pool", "withdrawals", "topups"] as const;

/** `of`: a member's id; `from`, `to`: days in UTC, both inclusive. `new`: an open form, `member`: its member, by external id. */
export const ORDERS = listParams(
  {
    q: text,
    partner: text,
    status: oneOf(FIAT_STATUSES),
    currency: text,
    of: text,
    from: text,
    to: text,
  },
  {
    apart: {
      tab: oneOf(TABS),
      new: oneOf(["withdrawal", "topup"]),
      member: text,
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
