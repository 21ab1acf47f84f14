import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { PARTNER_STATUSES } from "#domain/partner.ts";
import { given, listParams, type ParamsOf } from "../../_components/lists/list-params.ts";

export const PARTNERS = listParams({ q: parseAsString, status: parseAsStringLiteral(PARTNER_STATUSES) });

/** The page for the procedure. */
export function pageOf(params: ParamsOf<typeof PARTNERS>) {
  return { ...given({ search: params.q?.slice(0, 128), status: params.status }), ...PARTNERS.walkOf(params) };
}
