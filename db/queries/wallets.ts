import { and, asc, eq, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { wallets } from "#db/schema/wallets.ts";

export type Wallet = typeof wallets.$inferSelect;
export type WalletLease = { walletId: string; owner: string; fencingToken: number };

/** The service's own addresses on a chain. */
export async function listWalletAddresses(db: Database, chain: string): Promise<string[]> {
  const rows = await db.select({ address: wallets.address }).from(wallets).where(eq(wallets.chain, chain)).orderBy(asc(wallets.address));
  return rows.map(({ address }) => address);
}

export async function listWallets(db: Database): Promise<Wallet[]> {
  return await db.select().from(wallets).orderBy(asc(wallets.chain), asc(wallets.address));
}

/** Whether an operator has stopped every treasury wallet of the chain. A chain whose wallets no worker has met yet is not paused. */
export async function chainIsPaused(db: Database, chain: string): Promise<boolean> {
  const rows = await db.select({ paused: wallets.paused }).from(wallets).where(eq(wallets.chain, chain));
  return rows.length > 0 && rows.every(({ paused }) => paused);
}

/** Sees to it that the wallet has a row, and answers its id. Its first nonce is asked of the chain later. */
export async function ensureWallet(db: Database, wallet: { chain: string; address: string; now: Date }): Promise<string> {
  await db
    .insert(wallets)
    .values({
      id: sql`gen_random_uuid()`,
      chain: wallet.chain,
      address: wallet.address,
      fencingToken: 0,
      paused: false,
      createdAt: wallet.now,
    })
    .onConflictDoNothing();
  const rows = await db
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.chain, wallet.chain), eq(wallets.address, wallet.address)));
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("a wallet that was just stored is not there");
  return id;
}

/**
 * Takes or renews the right to sign for a wallet, for `leaseMs` of real time. Null while somebody else has it. The fencing token
 * grows with each new holder, so that what an earlier one still wants to commit is refused.
 */
export async function leaseWallet(db: Database, lease: { walletId: string; owner: string; leaseMs: number }): Promise<Wallet | null> {
  const rows = await db
    .update(wallets)
    .set({
      leaseOwner: lease.owner,
      leaseUntil: sql`clock_timestamp() + ${lease.leaseMs} * interval '1 millisecond'`,
      fencingToken: sql`${wallets.fencingToken} + case when ${wallets.leaseOwner} = ${lease.owner} then 0 else 1 end`,
    })
    .where(
      and(
        eq(wallets.id, lease.walletId),
        or(isNull(wallets.leaseOwner), eq(wallets.leaseOwner, lease.owner), lte(wallets.leaseUntil, sql`clock_timestamp()`)),
      ),
    )
    .returning();
  return rows[0] ?? null;
}

/** Renews leases that this holder still has; one that another has taken meanwhile stays with the other. */
export async function renewWallets(db: Database, held: { walletIds: readonly string[]; owner: string; leaseMs: number }): Promise<void> {
  await db
    .update(wallets)
    .set({ leaseUntil: sql`clock_timestamp() + ${held.leaseMs} * interval '1 millisecond'` })
    .where(and(inArray(wallets.id, [...held.walletIds]), eq(wallets.leaseOwner, held.owner)));
}

/** Gives every wallet back that this worker holds, so that another need not wait for the leases to run out. */
export async function releaseWallets(db: Database, owner: string): Promise<void> {
  await db.update(wallets).set({ leaseOwner: null, leaseUntil: null }).where(eq(wallets.leaseOwner, owner));
}

/** Locks the wallet for this transaction if the lease still holds: whoever lost it commits nothing. */
export async function holdWalletLease(tx: Database, lease: WalletLease): Promise<boolean> {
  const rows = await tx.select({ id: wallets.id }).from(wallets).where(stillHeld(lease)).for("update");
  return rows.length === 1;
}

/** Spends the wallet's next nonce, if it is the one that was signed and the lease still holds. */
export async function spendNonce(tx: Database, lease: WalletLease, nonce: number): Promise<boolean> {
  const rows = await tx
    .update(wallets)
    .set({ nextNonce: nonce + 1 })
    .where(and(stillHeld(lease), eq(wallets.nextNonce, nonce), eq(wallets.paused, false)))
    .returning({ id: wallets.id });
  return rows.length === 1;
}

/** Sets where the sequence goes on; `from` is what it was believed to be. */
export async function moveNonce(db: Database, lease: WalletLease, from: number | null, to: number): Promise<boolean> {
  const rows = await db
    .update(wallets)
    .set({ nextNonce: to })
    .where(and(stillHeld(lease), from === null ? isNull(wallets.nextNonce) : eq(wallets.nextNonce, from)))
    .returning({ id: wallets.id });
  return rows.length === 1;
}

export async function setWalletTrouble(db: Database, walletId: string, trouble: string | null): Promise<void> {
  await db
    .update(wallets)
    .set({ trouble })
    .where(and(eq(wallets.id, walletId), sql`${wallets.trouble} is distinct from ${trouble}`));
}

/** Stops or resumes a wallet; resuming it says that whatever was wrong with it was looked into. Null when there is none of that id. */
export async function setWalletPaused(db: Database, walletId: string, paused: boolean): Promise<Wallet | null> {
  const rows = await db
    .update(wallets)
    .set({ paused, ...(paused ? {} : { trouble: null }) })
    .where(eq(wallets.id, walletId))
    .returning();
  return rows[0] ?? null;
}

/** Stops every wallet of a chain that is not stopped yet, saying why; resuming one is an operator's word. Answers their ids. */
export async function haltWallets(tx: Database, chain: string, trouble: string): Promise<string[]> {
  const rows = await tx
    .update(wallets)
    .set({ paused: true, trouble })
    .where(and(eq(wallets.chain, chain), eq(wallets.paused, false)))
    .returning({ id: wallets.id });
  return rows.map(({ id }) => id);
}

/** Nobody has taken it since: the token says so. A lease that lapsed and was not taken is still its holder's. */
function stillHeld(lease: WalletLease) {
  return and(eq(wallets.id, lease.walletId), eq(wallets.leaseOwner, lease.owner), eq(wallets.fencingToken, lease.fencingToken));
}
