import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { insertLedgerEntry, listEntriesOf } from "#db/queries/ledger/ledger-entries.ts";
import { ledgerEntries } from "#db/schema/ledger.ts";
import { lossRecovered, lossReference } from "#domain/treasury-loss.ts";

/** Until the database transaction ends, no other one books an unknown transaction of the chain, as a loss or as proof of a payment. */
export async function lockUnknownPayments(tx: Database, chain: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`unknown payments ${chain}`}, 0))`);
}

/** Which of a chain's transactions are booked as lost, recovered or not. */
export async function listLostHashes(db: Database, chain: string, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const references = new Map(hashes.map((hash) => [lossReference(chain, hash), hash]));
  const rows = await db
    .select({ causeId: ledgerEntries.causeId })
    .from(ledgerEntries)
    .where(
      and(eq(ledgerEntries.cause, "treasury"), eq(ledgerEntries.step, "lost"), inArray(ledgerEntries.causeId, [...references.keys()])),
    );
  return rows.flatMap(({ causeId }) => references.get(causeId) ?? []);
}

/** Reverses the booked loss of a transaction. Does nothing without one, or if it is reversed already. */
export async function recoverLoss(tx: Database, chain: string, hash: string, now: Date): Promise<void> {
  const entries = await listEntriesOf(tx, "treasury", [lossReference(chain, hash)]);
  const lost = entries.find(({ step }) => step === "lost");
  if (lost === undefined || entries.some(({ step }) => step === "recovered")) return;
  await insertLedgerEntry(tx, lossRecovered(lost), now);
}

/** Transfers that have signed under one of these nonces of a wallet, and have not ended. */
export async function listOpenOwners(
  db: Database,
  places: readonly { chain: string; wallet: string; nonce: number }[],
): Promise<{ transferId: string; nonce: number }[]> {
  const rows = await db.execute<{ transfer_id: string; nonce: string }>(sql`
    select x.transfer_id, x.nonce::text from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as place(chain text, wallet text, nonce bigint)
      join wallets w on w.chain = place.chain and lower(w.address) = lower(place.wallet)
      join transactions x on x.wallet_id = w.id and x.nonce = place.nonce and x.superseded_at is null
      join transfers t on t.id = x.transfer_id and t.state not in ('executed', 'failed')`);
  return rows.map(({ transfer_id: transferId, nonce }) => ({ transferId, nonce: Number(nonce) }));
}
