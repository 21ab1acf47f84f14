import { browsePartners as browse, type PartnerFilter, type PartnerRow } from "#db/queries/partners/browse-partners.ts";
import { cutPage, type Walk, type Walked } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

/** Partners as people look at them, newest first, with their figures of thirty days. */
export async function browsePartners(
  ctx: Uses<"db">,
  { filter, ...walk }: { filter: Omit<PartnerFilter, "id"> } & Walk,
): Promise<Walked<PartnerRow>> {
  return cutPage(await browse(ctx.db, filter, { ...walk, limit: walk.limit + 1 }), walk, ({ partner }) => partner);
}
