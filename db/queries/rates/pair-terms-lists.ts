import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { isRecent } from "#db/recent.ts";
import { rowOf } from "#db/rows.ts";
import { pairTerms } from "#db/schema/rates.ts";
import type { TermsFloor } from "#domain/approval-policy.ts";
import { pairKey } from "#domain/halt-scope.ts";
import type { PairOnChain } from "#domain/pair-terms.ts";
import type { CurrencyPair } from "#domain/rate.ts";
import type { TermsOwner, TermsVersion } from "./pair-terms.ts";

/** Terms as people look through them. */

export type OwnedTerms = TermsVersion & { /** null: the pair's own. */ partnerName: string | null };

/** The newest version that each owner has, of every pair or of one, withdrawn and disabled ones included. They are few: not paged. */
export async function listNewestTerms(db: Database, pair?: PairOnChain): Promise<OwnedTerms[]> {
  const ofPair = pair === undefined ? sql`` : sql`where ${isPair(pair)}`;
  const rows = await db.execute<{ partner_name: string | null }>(sql`
    select t.*, p.name as partner_name from (
      select distinct on (source_currency, destination_currency, chain, partner_id) * from pair_terms ${ofPair}
      order by source_currency, destination_currency, chain, partner_id, version desc
    ) as t left join partners as p on p.id = t.partner_id
    order by t.source_currency, t.destination_currency, t.chain, t.partner_id nulls first`);
  return rows.map((row) => ({ ...rowOf(pairTerms, row), partnerName: row.partner_name }));
}

/** What the terms under which something may be quoted ask of decisions. */
export async function listFloors(db: Database): Promise<TermsFloor[]> {
  const newest = await listNewestTerms(db);
  const inForce = newest.filter(({ withdrawn }) => !withdrawn);
  // Disabled terms need no rate, and a partner's own still replace the pair's.
  return inForce.map(({ enabled, ...terms }) => (enabled ? terms : { ...terms, twoApprovalsAboveMinor: null }));
}

/** The newest versions of one owner, the newest first. */
export async function listVersions(db: Database, owner: TermsOwner, limit: number): Promise<TermsVersion[]> {
  const rows = await db.execute(sql`
    select * from pair_terms where ${isPair(owner)} and partner_id ${owner.partnerId === null ? sql`is null` : sql`= ${owner.partnerId}`}
    order by partner_id desc, version desc limit ${limit}`);
  return rows.map((row) => rowOf(pairTerms, row));
}

/** The partners whose own terms of the pair are in force. */
export async function listOverridingPartners(db: Database, pair: PairOnChain): Promise<string[]> {
  const newest = await listNewestTerms(db, pair);
  return newest.flatMap(({ partnerId, withdrawn }) => (partnerId === null || withdrawn ? [] : [partnerId]));
}

/** Source amounts of the newest settlements of a pair, of one partner or of all but some, at most three months back. */
export async function listNewestAmounts(
  db: Database,
  pair: PairOnChain,
  whose: { partnerId: string } | { exceptPartnerIds: readonly string[] },
  limit: number,
): Promise<bigint[]> {
  const own =
    "partnerId" in whose
      ? sql`partner_id = ${whose.partnerId}::uuid`
      : sql`partner_id not in (select jsonb_array_elements_text(${JSON.stringify(whose.exceptPartnerIds)}::jsonb)::uuid)`;
  const rows = await db.execute<{ minor: string }>(sql`
    select source_amount_minor::text as minor from settlements
    where ${isPair(pair)} and ${own} and ${isRecent(sql`created_at`, sql`interval '92 days'`)}
    order by created_at desc, id desc limit ${limit}`);
  return rows.map(({ minor }) => BigInt(minor));
}

export type PricedRate = CurrencyPair & { at: Date; midRate: string };

/** The mid rates used by quotes of the last 24 hours, the last one of each half hour. */
export async function listPricedRates(db: Database): Promise<PricedRate[]> {
  const rows = await db.execute<{ source: string; destination: string; at: string; mid: string }>(sql`
    select distinct on (1, 2, 3) source_currency as source, destination_currency as destination,
      date_bin(interval '30 minutes', priced_at, 'epoch'::timestamptz) as at, mid_rate::text as mid
    from settlements where ${isRecent(sql`created_at`, sql`interval '24 hours'`)} order by 1, 2, 3, priced_at desc`);
  return rows.map((row) => ({ sourceCurrency: row.source, destinationCurrency: row.destination, at: new Date(row.at), midRate: row.mid }));
}

function isPair(pair: PairOnChain) {
  return sql`source_currency = ${pair.sourceCurrency} and destination_currency = ${pair.destinationCurrency} and chain = ${pair.chain}`;
}

/** Every pair that ever had terms, as halt scopes name it. */
export async function listPairKeys(db: Database): Promise<string[]> {
  const { sourceCurrency, destinationCurrency, chain } = pairTerms;
  const rows = await db.selectDistinct({ sourceCurrency, destinationCurrency, chain }).from(pairTerms);
  return rows.map(pairKey).toSorted();
}
