import { count, desc, eq, inArray } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";
import { contains, type Page, type PageRequest } from "#db/search.ts";
import { decimal } from "#domain/decimal.ts";
import { PARTNER_ROLES, type Partner, type PartnerRole } from "#domain/partner.ts";

type Row = typeof partners.$inferSelect;

/** Answers false, and adds nothing, when the slug is taken. */
export async function insertPartner(db: Database, partner: typeof partners.$inferInsert): Promise<boolean> {
  const rows = await db.insert(partners).values(partner).onConflictDoNothing({ target: partners.slug }).returning({ id: partners.id });
  return rows.length > 0;
}

export async function findPartner(db: Database, id: string): Promise<Partner | null> {
  const [row] = await db.select().from(partners).where(eq(partners.id, id));
  return row ? toPartner(row) : null;
}

/** As {@link findPartner}, and holds the row until the transaction ends. */
export async function lockPartner(db: Database, id: string): Promise<Partner | null> {
  const [row] = await db.select().from(partners).where(eq(partners.id, id)).for("update");
  return row ? toPartner(row) : null;
}

type PartnerChange = Partial<Pick<typeof partners.$inferInsert, "chargeFeePercentage" | "status">> & { updatedAt: Date };

/** Writes what changed of a partner that {@link lockPartner} has locked. */
export async function savePartner(db: Database, id: string, change: PartnerChange): Promise<void> {
  await db.update(partners).set(change).where(eq(partners.id, id));
}

export async function listPartnerNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: partners.id, name: partners.name })
    .from(partners)
    .where(inArray(partners.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function slugIsTaken(db: Database, slug: string): Promise<boolean> {
  return (await db.$count(partners, eq(partners.slug, slug))) > 0;
}

/** Partners, newest first. */
export async function listPartners(db: Database, { search, skip, limit }: PageRequest): Promise<Page<Partner>> {
  const matching = contains(search, [partners.name, partners.slug]);
  const rows = await db
    .select()
    .from(partners)
    .where(matching)
    .orderBy(desc(partners.createdAt), desc(partners.id))
    .offset(skip)
    .limit(limit);
  const [counted] = await db.select({ total: count() }).from(partners).where(matching);
  return { items: rows.map(toPartner), total: counted?.total ?? 0 };
}

export function toPartner(row: Row): Partner {
  const { writesPerSecond: _writes, readsPerSecond: _reads, ...partner } = row;
  return { ...partner, roles: row.roles.filter(isRole), chargeFeePercentage: decimal(row.chargeFeePercentage) };
}

function isRole(text: string): text is PartnerRole {
  return PARTNER_ROLES.some((role) => role === text);
}
