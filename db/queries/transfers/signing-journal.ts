import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { packMembers } from "#db/schema/pack-members.ts";
import { signingJournal } from "#db/schema/signing-journal.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wallets } from "#db/schema/wallets.ts";
import { listPlaces, type OpenTransaction } from "./transactions.ts";
import type { WalletSequence } from "./wallets.ts";

/** `supersededAt`: since when it will never pay; null: it may have. */
export type SignedPlace = OpenTransaction & { supersededAt: Date | null };
export type SigningJournal = Omit<typeof signingJournal.$inferSelect, "isOnly">;

/** The journal that belongs to this database; null before its first worker. */
export async function findSigningJournal(db: Database): Promise<SigningJournal | null> {
  const [found] = await db.select().from(signingJournal);
  return found ?? null;
}

/** The journal that belongs to this database. Before its first worker, an id is drawn for it. */
export async function ensureSigningJournal(db: Database): Promise<SigningJournal> {
  const found = await findSigningJournal(db);
  if (found !== null) return found;
  await db.insert(signingJournal).values({ installation: randomUUID() }).onConflictDoNothing();
  const [made] = await db.select().from(signingJournal);
  if (!made) throw new Error("the signing journal's row was just stored and is not there");
  return made;
}

/** The journal is there from now on. */
export async function noteJournalBegun(db: Database, installation: string): Promise<void> {
  await db
    .update(signingJournal)
    .set({ begunAt: sql`clock_timestamp()` })
    .where(and(eq(signingJournal.installation, installation), isNull(signingJournal.begunAt)));
}

/** So many records it has by now, for good. */
export async function noteJournalRecords(db: Database, installation: string, records: number): Promise<void> {
  await db
    .update(signingJournal)
    .set({ records })
    .where(and(eq(signingJournal.installation, installation), lt(signingJournal.records, records)));
}

/** Another journal takes the place of the former. */
export async function replaceSigningJournal(tx: Database, installation: string): Promise<void> {
  const row = { installation, begunAt: sql`clock_timestamp()`, records: 0 };
  await tx.insert(signingJournal).values(row).onConflictDoUpdate({ target: signingJournal.isOnly, set: row });
}

/** The next nonces of all wallets of a chain, whatever their state. */
export async function listAllSequences(db: Database, chain: string): Promise<WalletSequence[]> {
  return await db
    .select({ id: wallets.id, address: wallets.address, nextNonce: wallets.nextNonce })
    .from(wallets)
    .where(eq(wallets.chain, chain));
}

/**
 * The places of a transfer in which its payment was made before and came to nothing, according to this database: that of a packed transaction
 * that did not pay it, and then its own, as they came about.
 */
export async function listSupersededPlaces(db: Database, transferId: string): Promise<SignedPlace[]> {
  const { id, supersededAt } = transactions;
  const own = await db
    .select({ id, supersededAt })
    .from(transactions)
    .where(and(eq(transactions.transferId, transferId), isNotNull(supersededAt)))
    .orderBy(asc(id));
  const packed = await db
    .select({ id, supersededAt })
    .from(packMembers)
    .innerJoin(transactions, eq(transactions.transferId, packMembers.packId))
    .where(and(eq(packMembers.transferId, transferId), ne(packMembers.outcome, "paid"), isNull(supersededAt)));
  return await withPlaces(db, [...packed, ...own]);
}

/** Signed transactions with their attempts, superseded ones too, as they came about. */
export async function listSignedAfter(db: Database, after: string, limit: number): Promise<SignedPlace[]> {
  const rows = await db
    .select({ id: transactions.id, supersededAt: transactions.supersededAt })
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .where(gt(transactions.id, after))
    .orderBy(asc(transactions.id))
    .limit(limit);
  return await withPlaces(db, rows);
}

async function withPlaces(db: Database, rows: readonly { id: string; supersededAt: Date | null }[]): Promise<SignedPlace[]> {
  const found = await listPlaces(
    db,
    rows.map(({ id }) => id),
  );
  const byId = new Map(found.map((place) => [place.id, place]));
  return rows.flatMap(({ id, supersededAt }) => {
    const place = byId.get(id);
    return place ? [{ ...place, supersededAt }] : [];
  });
}

/** Nonces below these were signed before, whatever this database knows of them. */
export async function raiseNextNonces(tx: Database, raised: readonly { wallet: string; nextNonce: number }[]): Promise<void> {
  for (const { wallet, nextNonce } of raised)
    await tx
      .update(wallets)
      .set({ nextNonce })
      .where(and(sql`lower(${wallets.address}) = ${wallet.toLowerCase()}`, lt(wallets.nextNonce, nextNonce)));
}
