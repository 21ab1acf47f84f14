import {
  browsePartners as browse,
  findPartner,
  listPartners as listAll,
  type PartnerFilter,
  type PartnerRow,
  slugIsTaken,
} from "#db/queries/partners/partners.ts";
import type { Page, PageRequest } from "#db/search.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
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

/** For what a suspended partner's people may as little as its keys. @throws Refusal `not_found`, `partner_suspended` */
export async function readActivePartner(ctx: Uses<"db">, id: string): Promise<Partner> {
  const partner = await readPartner(ctx, id);
  if (partner.status === "suspended") throw new Refusal("partner_suspended");
  return partner;
}

/** All partners, newest first. `search` looks into name and slug. */
export async function listPartners(ctx: Uses<"db">, page: PageRequest): Promise<Page<Partner>> {
  return await listAll(ctx.db, page);
}

/** Partners for the console, newest first, with their figures of thirty days. */
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

export type { PartnerRow } from "#db/queries/partners/partners.ts";

/** One partner with its figures of thirty days. @throws Refusal `not_found`. */
export async function readPartnerFigures(ctx: Uses<"db">, id: string): Promise<PartnerRow> {
  const [row] = isUuid(id) ? await browse(ctx.db, { id }, { limit: 1, position: null, direction: "older" }) : [];
  if (row === undefined) throw new Refusal("not_found", { detail: "There is no such partner." });
  return row;
}

/** Whether a slug is free at this moment; creating decides. */
export async function slugIsFree(ctx: Uses<"db">, slug: string): Promise<boolean> {
  return !(await slugIsTaken(ctx.db, slug));
}
