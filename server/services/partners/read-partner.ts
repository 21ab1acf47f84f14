import { findPartner } from "#db/queries/partners/partners.ts";
import type { Partner } from "#domain/partner.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

/** @throws Refusal `not_found`. */
export async function readPartner(ctx: Uses<"db">, id: string): Promise<Partner> {
  const partner = isUuid(id) ? await findPartner(ctx.db, id) : null;
  if (partner === null) throw new Refusal("not_found", { detail: "There is no such partner." });
  return partner;
}
