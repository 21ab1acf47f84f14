import { PARTNER_STATUSES } from "#domain/partner.ts";
import { oneOf, text } from "../../_components/lists/address-params.ts";
import { given, listParams, type ParamsOf } from "../../_components/lists/list-params.ts";

export const PARTNERS = listParams({ q: text, status: oneOf(PARTNER_STATUSES) });

/** The page for the procedure. */
export function pageOf(params: ParamsOf<typeof PARTNERS>) {
  return { ...given({ search: params.q?.slice(0, 128), status: params.status }), ...PARTNERS.walkOf(params) };
}
