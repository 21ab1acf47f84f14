import type { Partner } from "#domain/partner.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { readPartner } from "./read-partner.ts";

/** For what a suspended partner's people may as little as its keys. @throws Refusal `not_found`, `partner_suspended` */
export async function readActivePartner(ctx: Uses<"db">, id: string): Promise<Partner> {
  const partner = await readPartner(ctx, id);
  if (partner.status === "suspended") throw new Refusal("partner_suspended");
  return partner;
}
