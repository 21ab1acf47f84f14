import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { members } from "#db/schema/members.ts";
import { partners } from "#db/schema/partners.ts";
import { contains } from "#db/search.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { Member, SafeStatus } from "#domain/member.ts";
import type { Walk } from "#domain/page.ts";

/** A member as a list for people shows it. */
export type BrowsedMember = {
  member: Member;
  partner: { id: string; name: string };
  /** Topped up and withdrawn since the instant asked for, and done, per fiat currency. */
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
