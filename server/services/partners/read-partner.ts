import { findPartner } from "#db/queries/partners.ts";
import type { Uses } from "#server/context.ts";
import type { Partner } from "#server/domain/partner.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { isUuid } from "#server/domain/uuid.ts";

/** @throws Refusal `not_found`. */
export async function readPartner(ctx: Uses<"db">, id: string): Promise<Partner> {
  const partner = isUuid(id) ? await findPartner(ctx.db, id) : null;
  if (partner === null) throw new Refusal("not_found", { detail: "There is no such partner." });
  return partner;
}
