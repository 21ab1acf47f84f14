import { type KeyListing, listApiKeys as listKeys } from "#db/queries/api-keys.ts";
import type { Page, PageRequest } from "#db/queries/search.ts";
import type { Uses } from "#server/context.ts";

/** Keys, newest first, without what opens anything: one partner's, or, with `partnerId` left out, all there are. */
export async function listApiKeys(ctx: Uses<"db">, query: PageRequest & { partnerId?: string }): Promise<Page<KeyListing>> {
  return await listKeys(ctx.db, query.partnerId, query);
}
