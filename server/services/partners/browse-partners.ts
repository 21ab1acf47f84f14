import { browsePartners as browse, type PartnerFilter, type PartnerRow } from "#db/queries/partners/browse-partners.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

/** Partners as people look at them, newest first, with their figures of thirty days. */
export async function browsePartners(
  ctx: Uses<"db">,
  { filter, ...walk }: { filter: Omit<PartnerFilter, "id"> } & Walk,
): Promise<Walked<PartnerRow>> {
  return await walkPage(
    walk,
    (each) => browse(ctx.db, filter, each),
    ({ partner }) => partner,
  );
}
