import { and, count, desc, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { isRecent } from "#db/recent.ts";
import { partners } from "#db/schema/partners.ts";
import { contains, type Page, type PageRequest } from "#db/search.ts";
import { layoutOf } from "#db/transaction.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import { decimal } from "#domain/decimal.ts";
import type { Walk } from "#domain/page.ts";
import { PARTNER_ROLES, type Partner, type PartnerRole, type PartnerStatus } from "#domain/partner.ts";
import { isUuid } from "#domain/uuid.ts";

type Row = typeof partners.$inferSelect;

/** Answers false, and adds nothing, when the slug is taken. */
export async function insertPartner(db: Database, partner: typeof partners.$inferInsert): Promise<boolean> {
  const { count } = await db.insert(partners).values(partner).onConflictDoNothing({ target: partners.slug });
  return count > 0;
}

export async function findPartner(db: Database, id: string): Promise<Partner | null> {
  const [row] = await db.select().from(partners).where(eq(partners.id, id));
  return row ? toPartner(row) : null;
}

/** As {@link findPartner}, and locks the row until the transaction ends. References to the partner may still be written. */
export async function lockPartner(db: Database, id: string): Promise<Partner | null> {
  const [row] = await db.select().from(partners).where(eq(partners.id, id)).for("no key update");
  return row ? toPartner(row) : null;
}

type PartnerChange = Partial<Pick<typeof partners.$inferInsert, "chargeFeePercentage" | "status">> & { updatedAt: Date };

/** Writes what changed of a partner that {@link lockPartner} has locked. */
export async function savePartner(db: Database, id: string, change: PartnerChange): Promise<void> {
  await db.update(partners).set(change).where(eq(partners.id, id));
}

/** A receiver of the partner passed every check. Real time. */
export async function markReceiverCertified(db: Database, id: string, at: Date): Promise<void> {
  await db.update(partners).set({ receiverCertifiedAt: at }).where(eq(partners.id, id));
}

export async function listPartnerNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: partners.id, name: partners.name })
    .from(partners)
    .where(inArray(partners.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The ids of partners by their slugs and by their ids, among these texts. */
export async function listPartnerIds(db: Database, named: readonly string[]): Promise<Map<string, string>> {
  if (named.length === 0) return new Map();
  const rows = await db
    .select({ id: partners.id, slug: partners.slug })
    .from(partners)
    .where(or(inArray(partners.slug, [...named]), inArray(partners.id, named.filter(isUuid))));
  return new Map(rows.flatMap(({ id, slug }) => [[slug, id] as const, [id, id] as const]));
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

/** The amounts paid for a partner within thirty days, per currency. */
export type PartnerVolume = { currency: string; tokenDecimals: number; base: bigint };
export type PartnerRow = {
  partner: Partner;
  volume: PartnerVolume[];
  /** Settlements created within the thirty days, and how many of those ended. */
  created: number;
  executed: number;
  failed: number;
  members: number;
  people: number;
  /** Keys in force. */
  keys: number;
  undeliveredCallbacks: number;
  /** Those that failed at least once and are tried again. */
  retryingCallbacks: number;
  /** Business time: its newest settlement; real time: the last use of a key; the later of the two, null for neither. */
  lastActivityAt: Date | null;
};

export type PartnerFilter = { id?: string; search?: string; status?: PartnerStatus };

const MONTH = sql`interval '30 days'`;

/** Partners with the details of their list, in list order from a position. */
export async function browsePartners(db: Database, filter: PartnerFilter, walk: Walk): Promise<PartnerRow[]> {
  const isOnNodes = layoutOf(db) === "citus";
  const rows = await db
    .select({ partner: partners, figures: isOnNodes ? coordinatorFigures() : figures() })
    .from(partners)
    .where(and(...conditions(filter), beyond(partners, walk, "uuid")))
    .orderBy(...nearestFirst(partners, walk))
    .limit(walk.limit);
  return await Promise.all(
    rows.map(async ({ partner, figures }) => toPartnerRow(partner, isOnNodes ? await addFromNode(db, partner.id, figures) : figures)),
  );
}

function toPartnerRow(partner: Row, { volume, last_activity_at, undelivered, retrying, ...counts }: Figures): PartnerRow {
  return {
    partner: toPartner(partner),
    ...counts,
    undeliveredCallbacks: undelivered,
    retryingCallbacks: retrying,
    volume: volume.map(({ currency, decimals, base }) => ({ currency, tokenDecimals: decimals, base: BigInt(base) })),
    lastActivityAt: last_activity_at === null ? null : new Date(last_activity_at),
  };
}

function conditions({ id, search, status }: PartnerFilter): (SQL | undefined)[] {
  return [
    id === undefined ? undefined : eq(partners.id, id),
    search === undefined ? undefined : contains(search, [partners.name, partners.slug]),
    status === undefined ? undefined : eq(partners.status, status),
  ];
}

type Figures = {
  volume: { currency: string; decimals: number; base: string }[];
  created: number;
  executed: number;
  failed: number;
  members: number;
  people: number;
  keys: number;
  undelivered: number;
  retrying: number;
  last_activity_at: string | null;
};

// Written out: within a select of one table the column would lose its table's name.
const OWN = sql`partners.id`;

const OF_MONTH = sql`
    'volume', coalesce(month.volume, '[]'::json), 'created', coalesce(month.created, 0), 'executed', coalesce(month.executed, 0),
    'failed', coalesce(month.failed, 0)`;
const month = (own: SQL) => sql`
    from (select sum(v.created)::int as created, sum(v.executed)::int as executed, sum(v.failed)::int as failed,
        json_agg(json_build_object('currency', v.destination_currency, 'decimals', v.token_decimals, 'base', v.base::text)
          order by v.destination_currency) filter (where v.executed > 0) as volume
      from (select s.destination_currency, s.token_decimals, count(*) as created, count(*) filter (where s.status = 'executed') as executed,
          count(*) filter (where s.status = 'failed') as failed, sum(s.destination_amount_base) filter (where s.status = 'executed') as base
        from settlements s where s.partner_id = ${own} and ${isRecent(sql`s.created_at`, MONTH)} group by 1, 2) v) month`;
const PEOPLE = sql`
    'members', (select count(*)::int from members m where m.partner_id = ${OWN}),
    'people', (select count(*)::int from users u where u.partner_id = ${OWN}),
    'keys', (select count(*)::int from api_keys k where k.partner_id = ${OWN}
      and coalesce(least(k.revoked_at, k.expires_at) > clock_timestamp(), true))`;
const called = (own: SQL) => sql`
    'undelivered', (select count(*)::int from callbacks c where c.partner_id = ${own} and c.state = 'undelivered'),
    'retrying', (select count(*)::int from callbacks c where c.partner_id = ${own} and c.failing_since is not null and c.state = 'pending')`;
const KEY_USE = sql`(select max(k.last_used_at) from api_keys k where k.partner_id = ${OWN})`;
const newest = (own: SQL) => sql`(select max(s.created_at) from settlements s where s.partner_id = ${own})`;

function figures(): SQL<Figures> {
  return sql<Figures>`(select json_build_object(${OF_MONTH},${PEOPLE},${called(OWN)},
    'last_activity_at', greatest(${KEY_USE},
      ${newest(OWN)}))${month(OWN)})`;
}

/** On Citus: those of tables that are whole. */
function coordinatorFigures(): SQL<Figures> {
  return sql<Figures>`(select json_build_object(${PEOPLE}, 'last_activity_at', ${KEY_USE}))`;
}

/** On Citus: adds those that the partner's node has. */
async function addFromNode(db: Database, id: string, known: Figures): Promise<Figures> {
  const own = sql`${id}::uuid`;
  const [row] = await db.execute<{ figures: Figures }>(sql`
    select json_build_object(${OF_MONTH},${called(own)}, 'last_activity_at', ${newest(own)}) as figures${month(own)}`);
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  const [first, last] = [known.last_activity_at, row.figures.last_activity_at];
  const isLater = first !== null && (last === null || new Date(first) > new Date(last));
  return { ...known, ...row.figures, last_activity_at: isLater ? first : last };
}

/** The addresses that partners named as their own, on whichever chain. */
export async function listPartnerWallets(db: Database): Promise<string[]> {
  const rows = await db.selectDistinct({ address: partners.walletAddress }).from(partners).where(isNotNull(partners.walletAddress));
  return rows.flatMap(({ address }) => address ?? []);
}
