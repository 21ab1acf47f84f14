import { browsePartners, type PartnerRow } from "#db/queries/partners/browse-partners.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

export type { PartnerRow } from "#db/queries/partners/browse-partners.ts";

/** One partner with its figures of thirty days. @throws Refusal `not_found`. */
export async function readPartnerFigures(ctx: Uses<"db">, id: string): Promise<PartnerRow> {
  const [row] = isUuid(id) ? await browsePartners(ctx.db, { id }, { limit: 1, position: null, direction: "older" }) : [];
  if (row === undefined) throw new Refusal("not_found", { detail: "There is no such partner." });
  return row;
}
