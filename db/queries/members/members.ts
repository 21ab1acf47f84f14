import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { topups } from "#db/schema/fiat-orders.ts";
import { members } from "#db/schema/members.ts";
import { partners } from "#db/schema/partners.ts";
import { contains, type PageRequest } from "#db/search.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { Member, SafeStatus } from "#domain/member.ts";
import type { Walk } from "#domain/page.ts";
import { isUuid } from "#domain/uuid.ts";

/** Answers false, and adds nothing, when the partner has a member of that reference or phone. */
export async function insertMember(db: Database, member: Member): Promise<boolean> {
  const { count } = await db.insert(members).values(member).onConflictDoNothing();
  return count > 0;
}

/** The partner's member of that reference. */
export async function findMemberByReference(db: Database, partnerId: string, externalUserId: string): Promise<Member | null> {
  const [row] = await db
    .select()
    .from(members)
    .where(and(eq(members.partnerId, partnerId), eq(members.externalUserId, externalUserId)));
  return row ?? null;
}

/** The partner's member with that reference, or else with that id; never a foreign one. Two look-ups, each with its own index. */
export async function findMember(db: Database, partnerId: string, name: string): Promise<Member | null> {
  return (await findMemberByReference(db, partnerId, name)) ?? (isUuid(name) ? await findMemberById(db, name, partnerId) : null);
}

/** As {@link findMember}, and locks the row until the transaction ends. */
export async function lockMember(db: Database, partnerId: string, name: string): Promise<Member | null> {
  const found = await findMember(db, partnerId, name);
  return found === null ? null : await lockMemberById(db, found.id);
}

/** The member of that id, of this partner where one is named. */
export async function findMemberById(db: Database, id: string, partnerId?: string): Promise<Member | null> {
  const [row] = await db
    .select()
    .from(members)
    .where(and(eq(members.id, id), partnerId === undefined ? undefined : eq(members.partnerId, partnerId)));
  return row ?? null;
}

/** Locks the member of that id, of any partner, until the transaction ends: for the service itself. */
export async function lockMemberById(db: Database, id: string): Promise<Member | null> {
  const [row] = await db.select().from(members).where(eq(members.id, id)).for("update");
  return row ?? null;
}

/** Whose top-up that is, as far as the signer may read it. */
export async function findMemberOfTopup(
  db: Database,
  topupId: string,
): Promise<Pick<Member, "id" | "chain" | "safeStatus" | "walletAddress"> | null> {
  const { id, chain, safeStatus, walletAddress } = members;
  const [row] = await db
    .select({ id, chain, safeStatus, walletAddress })
    .from(topups)
    .innerJoin(members, eq(members.id, topups.memberId))
    .where(eq(topups.id, topupId));
  return row ?? null;
}

/** Writes what changed of a member that was locked. */
export async function saveMember(db: Database, id: string, change: Partial<Member> & { updatedAt: Date }): Promise<void> {
  await db.update(members).set(change).where(eq(members.id, id));
}

/** The partner's members in list order from a position, without the first `skip`. */
export async function listMembers(db: Database, partnerId: string, page: Walk & PageRequest): Promise<Member[]> {
  return await db
    .select()
    .from(members)
    .where(and(matches(partnerId, page), beyond(members, page, "uuid")))
    .orderBy(...nearestFirst(members, page))
    .offset(page.skip)
    .limit(page.limit);
}

/** How many {@link listMembers} lists in all. */
export async function countMembers(db: Database, partnerId: string, search: Pick<PageRequest, "search">): Promise<number> {
  return await db.$count(members, matches(partnerId, search));
}

function matches(partnerId: string, { search }: Pick<PageRequest, "search">): SQL | undefined {
  const isFound = contains(search, [members.externalUserId, members.phone, members.name, members.email]);
  return and(eq(members.partnerId, partnerId), isFound);
}

/** A member as a list for people shows it. */
export type BrowsedMember = {
  member: Member;
  partner: { id: string; name: string };
  /** Completed top-ups and withdrawals since the instant, per fiat currency. */
  volume: { currency: string; amountMinor: bigint }[];
};

export type MemberFilter = {
  /** Left out: every partner's. */
  partnerId?: string;
  /** In reference, phone, name, e-mail address or wallet, in any case of letters. */
  search?: string;
  /** `own`: the member brought its wallet. */
  safe?: SafeStatus | "own";
  chain?: string;
};

/** A page of members, nearest to the place first. `since`: from when on (business time) the volume is counted. */
export async function browseMembers(db: Database, filter: MemberFilter, page: Walk, since: Date): Promise<BrowsedMember[]> {
  const rows = await selectBrowsed(db, since)
    .where(and(...conditions(filter), beyond(members, page, "uuid")))
    .orderBy(...nearestFirst(members, page))
    .limit(page.limit);
  return rows.map(toBrowsed);
}

/** The member of that id, of this partner where one is named. */
export async function findBrowsedMember(
  db: Database,
  query: { id: string; partnerId?: string },
  since: Date,
): Promise<BrowsedMember | null> {
  const { id, partnerId } = query;
  const [row] = await selectBrowsed(db, since).where(
    and(eq(members.id, id), partnerId === undefined ? undefined : eq(members.partnerId, partnerId)),
  );
  return row ? toBrowsed(row) : null;
}

type Volume = { currency: string; amount: string }[];

function selectBrowsed(db: Database, since: Date) {
  const done = (table: SQL) => sql`select o.currency, o.amount_minor from ${table} as o
    where o.member_id = ${members.id} and o.status = 'completed' and o.completed_at >= ${since.toISOString()}::timestamptz`;
  return db
    .select({
      member: members,
      partner: { id: partners.id, name: partners.name },
      volume: sql<Volume>`(select coalesce(json_agg(json_build_object('currency', v.currency, 'amount', v.amount::text) order by v.currency), '[]')
        from (select currency, sum(amount_minor) as amount
          from (${done(sql`withdrawals`)} union all ${done(sql`topups`)}) as each group by currency) as v)`,
    })
    .from(members)
    .innerJoin(partners, eq(partners.id, members.partnerId));
}

function toBrowsed(row: { member: Member; partner: { id: string; name: string }; volume: Volume }): BrowsedMember {
  return { ...row, volume: row.volume.map(({ currency, amount }) => ({ currency, amountMinor: BigInt(amount) })) };
}

function conditions({ partnerId, search, safe, chain }: MemberFilter): (SQL | undefined)[] {
  return [
    partnerId === undefined ? undefined : eq(members.partnerId, partnerId),
    contains(search, [members.externalUserId, members.phone, members.name, members.email, members.walletAddress]),
    safe === undefined ? undefined : safe === "own" ? isNull(members.safeStatus) : eq(members.safeStatus, safe),
    chain === undefined ? undefined : eq(members.chain, chain),
  ];
}
