import { listPartners as listAll } from "#db/queries/partners/partners.ts";
import type { Page, PageRequest } from "#db/search.ts";
import type { Partner } from "#domain/partner.ts";
import type { Uses } from "#server/context.ts";

/** All partners, newest first. `search` looks into name and slug. */
export async function listPartners(ctx: Uses<"db">, page: PageRequest): Promise<Page<Partner>> {
  return await listAll(ctx.db, page);
}
