import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { PairOnChain } from "#server/domain/pair-terms.ts";
import type { CurrencyPair } from "#server/ports.ts";
import { type TermsOwner, type TermsVersion, type VersionRow, versionFromRow } from "./pair-terms.ts";

/** Terms as people look through them. */

export type OwnedTerms = TermsVersion & { /** null: the pair's own. */ partnerName: string | null };

/** The newest version that each owner has, of every pair or of one, withdrawn and disabled ones included. They are few: not paged. */
export async function listNewestTerms(db: Database, pair?: PairOnChain): Promise<OwnedTerms[]> {
  const ofPair = pair === undefined ? sql`` : sql`where ${isPair(pair)}`;
  const rows = await db.execute<VersionRow & { partner_name: string | null }>(sql`
    select t.*, p.name as partner_name from (
      select distinct on (source_currency, destination_currency, chain, partner_id) * from pair_terms ${ofPair}
      order by source_currency, destination_currency, chain, partner_id, version desc
    ) as t left join partners as p on p.id = t.partner_id
    order by t.source_currency, t.destination_currency, t.chain, t.partner_id nulls first`);
  return rows.map((row) => ({ ...versionFromRow(row), partnerName: row.partner_name }));
}

/** The newest versions of one owner, the newest first. */
export async function listVersions(db: Database, owner: TermsOwner, limit: number): Promise<TermsVersion[]> {
  const rows = await db.execute<VersionRow>(sql`
    select * from pair_terms where ${isPair(owner)} and partner_id ${owner.partnerId === null ? sql`is null` : sql`= ${owner.partnerId}`}
    order by partner_id desc, version desc limit ${limit}`);
  return rows.map(versionFromRow);
}

/** Currencies that somebody may quote and that have no fresh rate. */
export async function listHaltedPairs(db: Database): Promise<CurrencyPair[]> {
  const rows = await db.execute<{ source_currency: string; destination_currency: string }>(sql`
    select distinct source_currency, destination_currency from (
      select distinct on (source_currency, destination_currency, chain, partner_id) * from pair_terms
      order by source_currency, destination_currency, chain, partner_id, version desc
    ) as t
    where enabled and not withdrawn and not exists (select 1 from exchange_rates as r where r.source_currency = t.source_currency
      and r.destination_currency = t.destination_currency and (r.stale_at is null or r.stale_at > clock_timestamp()))
    order by 1, 2`);
  return rows.map((row) => ({ sourceCurrency: row.source_currency, destinationCurrency: row.destination_currency }));
}

/** Source amounts of the newest settlements that were priced under an owner's terms: a partner's, or those without an override in force. */
export async function listNewestAmounts(db: Database, owner: TermsOwner, limit: number): Promise<bigint[]> {
  const whose =
    owner.partnerId === null
      ? sql`not exists (select 1 from pair_terms as o where o.partner_id = s.partner_id and ${isPair(owner, sql`o.`)} and not o.withdrawn
          and not exists (select 1 from pair_terms as later where later.partner_id = o.partner_id and ${isPair(owner, sql`later.`)} and later.version > o.version))`
      : sql`s.partner_id = ${owner.partnerId}`;
  const rows = await db.execute<{ minor: string }>(sql`
    select s.source_amount_minor::text as minor from settlements as s where ${isPair(owner, sql`s.`)} and ${whose}
    order by s.created_at desc, s.id desc limit ${limit}`);
  return rows.map(({ minor }) => BigInt(minor));
}

function isPair(pair: PairOnChain, of = sql``) {
  return sql`${of}source_currency = ${pair.sourceCurrency} and ${of}destination_currency = ${pair.destinationCurrency} and ${of}chain = ${pair.chain}`;
}
