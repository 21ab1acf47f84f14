import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";
import { contains } from "#db/search.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { Walk } from "#domain/page.ts";
import type { Partner, PartnerStatus } from "#domain/partner.ts";
import { toPartner } from "./partners.ts";

/** What was paid out for a partner within thirty days, per currency. */
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
  /** Business time: its newest settlement; real time: the last use of a key; the later of the two, null for neither. */
  lastActivityAt: Date | null;
};

export type PartnerFilter = { id?: string; search?: string; status?: PartnerStatus };

const MONTH = sql`(select business_now()) - interval '30 days'`;

/** Partners with what a list shows beside them, nearest to the place first. */
export async function browsePartners(db: Database, filter: PartnerFilter, walk: Walk): Promise<PartnerRow[]> {
  const rows = await db
    .select({ partner: partners, figures: figures() })
    .from(partners)
    .where(and(...conditions(filter), beyond(partners, walk, "uuid")))
    .orderBy(...nearestFirst(partners, walk))
    .limit(walk.limit);
  return rows.map(({ partner, figures: { volume, last_activity_at, undelivered, ...counts } }) => ({
    partner: toPartner(partner),
    ...counts,
    undeliveredCallbacks: undelivered,
    volume: volume.map(({ currency, decimals, base }) => ({ currency, tokenDecimals: decimals, base: BigInt(base) })),
    lastActivityAt: last_activity_at === null ? null : new Date(last_activity_at),
  }));
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
  last_activity_at: string | null;
};

function figures(): SQL<Figures> {
  // Written out: within a select of one table the column would lose its table's name.
  const own = sql`partners.id`;
  const recent = sql`from settlements s where s.partner_id = ${own} and s.created_at >= ${MONTH}`;
  return sql<Figures>`(select json_build_object(
    'volume', coalesce((select json_agg(json_build_object('currency', v.destination_currency, 'decimals', v.token_decimals, 'base', v.base::text)
      order by v.destination_currency) from (select s.destination_currency, s.token_decimals, sum(s.destination_amount_base) as base
      ${recent} and s.status = 'executed' group by 1, 2) v), '[]'::json),
    'created', (select count(*)::int ${recent}),
    'executed', (select count(*)::int ${recent} and s.status = 'executed'),
    'failed', (select count(*)::int ${recent} and s.status = 'failed'),
    'members', (select count(*)::int from members m where m.partner_id = ${own}),
    'people', (select count(*)::int from users u where u.partner_id = ${own}),
    'keys', (select count(*)::int from api_keys k where k.partner_id = ${own}
      and coalesce(least(k.revoked_at, k.expires_at) > clock_timestamp(), true)),
    'undelivered', (select count(*)::int from callbacks c where c.partner_id = ${own} and c.state = 'undelivered'),
    'last_activity_at', greatest((select max(k.last_used_at) from api_keys k where k.partner_id = ${own}),
      (select max(s.created_at) from settlements s where s.partner_id = ${own}))))`;
}
