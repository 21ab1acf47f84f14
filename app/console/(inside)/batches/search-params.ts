import { oneOf, text } from "../../_components/lists/address-params.ts";
import { given, listParams, type ParamsOf } from "../../_components/lists/list-params.ts";

/** As `domain/settlement-batch.ts` has them. */
export const STATUSES = ["quoted", "processing", "completed", "cancelled"] as const;

export const BATCHES = listParams({ q: text, partner: text, status: oneOf(STATUSES) });

/** The page for the procedure. */
export function pageOf(params: ParamsOf<typeof BATCHES>) {
  const { q, partner, status } = params;
  return { ...given({ search: q?.slice(0, 128), partner_id: partner, status }), ...BATCHES.walkOf(params) };
}
