import { and, asc, eq, inArray, isNotNull, isNull, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { leaseEnd, leaseIsFree } from "#db/lease.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { HaltScope } from "#domain/halt-scope.ts";
import type { SignerKind, WalletState } from "#domain/wallet.ts";

export type Wallet = typeof wallets.$inferSelect;
export type WalletLease = { walletId: string; owner: string; fencingToken: number };

/** The service's own addresses on a chain, in any state; those that sign come first. */
export async function listWalletAddresses(db: Database, chain: string): Promise<string[]> {
  const rows = await db
    .select({ address: wallets.address })
    .from(wallets)
    .where(eq(wallets.chain, chain))
    .orderBy(sql`${wallets.state} <> 'active'`, asc(wallets.address));
  return rows.map(({ address }) => address);
}

/** Addresses that nothing may ever be sent to again. */
export async function listAbandonedWallets(db: Database, chain: string): Promise<string[]> {
  const rows = await db
    .select({ address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.chain, chain), inArray(wallets.state, ["retired", "compromised"])));
  return rows.map(({ address }) => address.toLowerCase());
}

export async function listWallets(db: Database): Promise<Wallet[]> {
  return await db.select().from(wallets).orderBy(asc(wallets.chain), asc(wallets.address));
}

/**
 * Whether a wallet signs new payments: it is active, and neither the wallet, its chain, everything, nor (by an unknown transaction,
 * `stopsChain`) any wallet of the chain is halted. For a row of `wallets` under its own name or an alias.
 */
export function pays(wallet = "wallets"): SQL {
  const own = sql.raw(wallet);
  return sql`(${own}.state = 'active' and not exists (select 1 from lane_halts h where h.lifted_at is null
    and ((h.lane_kind = 'wallet' and h.lane_key = ${own}.id::text) or (h.lane_kind = 'chain' and h.lane_key = ${own}.chain)
      or h.lane_kind = 'all' or (h.lane_kind = 'wallet' and h.cause = 'foreign_nonce'
        and h.lane_key in (select f.id::text from wallets f where f.chain = ${own}.chain)))))`;
}

/** The next nonce of a wallet; `nextNonce` is null before a worker has read it from the chain. */
export type WalletSequence = { id: string; address: string; nextNonce: number | null };

/** The sequences of a chain's wallets, whichever worker leases them, without those whose keys no longer sign. */
export async function listSequences(db: Database, chain: string): Promise<WalletSequence[]> {
  return await db
    .select({ id: wallets.id, address: wallets.address, nextNonce: wallets.nextNonce })
    .from(wallets)
    .where(and(eq(wallets.chain, chain), notInArray(wallets.state, ["retired", "compromised"])))
    .orderBy(asc(wallets.address));
}

/** The wallets of a chain through which other workers pay right now: they have leased them, and know their sequences. */
export async function listOthersPayers(db: Database, { chain, owner }: { chain: string; owner: string }): Promise<Wallet[]> {
  const isReady = and(eq(wallets.chain, chain), pays(), isNull(wallets.trouble), isNotNull(wallets.nextNonce));
  const isLeased = and(ne(wallets.leaseOwner, owner), sql`${wallets.leaseUntil} > clock_timestamp()`);
  return await db.select().from(wallets).where(and(isReady, isLeased)).orderBy(asc(wallets.address));
}

/** Wallets with whether each {@link pays}, for a statement that needs them more than once. */
export function walletsOf(wanted: SQL): SQL {
  return sql`select w.id, w.chain, w.address, ${pays("w")} as pays from wallets w where ${wanted}`;
}

/**
 * The wallets that may receive deposits into the treasury: a worker has leased them now or within the last minute (a restarted one leases
 * them again), and they have no trouble.
 */
export async function listReceivingWallets(db: Database, chain: string): Promise<string[]> {
  const rows = await db
    .select({ address: wallets.address })
    .from(wallets)
    .where(
      and(eq(wallets.chain, chain), pays(), isNull(wallets.trouble), sql`${wallets.leaseUntil} > clock_timestamp() - interval '1 minute'`),
    )
    .orderBy(asc(wallets.address));
  return rows.map(({ address }) => address);
}

/** The wallets of a chain that sign new payments: each active, and neither it nor its chain halted. By address. */
export async function listSigningWallets(db: Database, chain: string): Promise<string[]> {
  const rows = await db
    .select({ address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.chain, chain), pays()))
    .orderBy(asc(wallets.address));
  return rows.map(({ address }) => address);
}

/** Whether the wallet signs new payments, guaranteed until the transaction ends: a halt waits for that. */
export async function holdSigningWallet(tx: Database, { chain, address }: { chain: string; address: string }): Promise<boolean> {
  const ours = and(eq(wallets.chain, chain), eq(wallets.address, address));
  const rows = await tx.select({ id: wallets.id }).from(wallets).where(ours).for("share");
  if (rows.length === 0) return false;
  return (await tx.select({ id: wallets.id }).from(wallets).where(and(ours, pays()))).length === 1;
}

/** Ensures that the wallet has a row, which records its signer, and returns its id. Its first nonce is read from the chain later. */
export async function ensureWallet(
  db: Database,
  wallet: { chain: string; address: string; signer?: SignerKind; now: Date },
): Promise<string> {
  const { signer = null } = wallet;
  const insertion = db.insert(wallets).values({
    id: sql`gen_random_uuid()`,
    chain: wallet.chain,
    address: wallet.address,
    fencingToken: 0,
    signer,
    createdAt: wallet.now,
  });
  await (signer === null
    ? insertion.onConflictDoNothing()
    : insertion.onConflictDoUpdate({
        target: [wallets.chain, wallets.address],
        set: { signer },
        setWhere: sql`${wallets.signer} is distinct from ${signer}`,
      }));
  const rows = await db
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.chain, wallet.chain), eq(wallets.address, wallet.address)));
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("a wallet that was just stored is not there");
  return id;
}

/**
 * Takes or renews the lease to sign for a wallet, for this many seconds of real time. Null while somebody else has it. The fencing token
 * grows with each new holder, so that late writes of an earlier one are refused.
 */
export async function leaseWallet(db: Database, lease: { walletId: string; owner: string; seconds: number }): Promise<Wallet | null> {
  const rows = await db
    .update(wallets)
    .set({
      leaseOwner: lease.owner,
      leaseUntil: leaseEnd(lease.seconds),
      fencingToken: sql`${wallets.fencingToken} + case when ${wallets.leaseOwner} = ${lease.owner} then 0 else 1 end`,
    })
    .where(and(eq(wallets.id, lease.walletId), or(eq(wallets.leaseOwner, lease.owner), leaseIsFree())))
    .returning();
  return rows[0] ?? null;
}

/** Renews leases that this holder still has, without those that another has taken meanwhile. */
export async function renewWallets(db: Database, held: { walletIds: readonly string[]; owner: string; seconds: number }): Promise<void> {
  await db
    .update(wallets)
    .set({ leaseUntil: leaseEnd(held.seconds) })
    .where(and(inArray(wallets.id, [...held.walletIds]), eq(wallets.leaseOwner, held.owner)));
}

/** Releases every wallet of a chain that this worker has leased, so that another need not wait for the leases to expire. */
export async function releaseWallets(db: Database, held: { chain: string; owner: string }): Promise<void> {
  await db
    .update(wallets)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(eq(wallets.chain, held.chain), eq(wallets.leaseOwner, held.owner)));
}

/** Locks the wallet for this transaction if the lease is still valid: a worker that lost it commits nothing. */
export async function lockWalletLease(tx: Database, lease: WalletLease): Promise<boolean> {
  const rows = await tx.select({ id: wallets.id }).from(wallets).where(stillHeld(lease)).for("update");
  return rows.length === 1;
}

/**
 * Uses the wallet's next nonces if the first is the signed one, the lease is still valid, and nothing has halted the wallet. The row must
 * have been locked by `lockWalletLease`: only then does this statement see every halt.
 */
export async function spendNonces(
  tx: Database,
  lease: WalletLease,
  { from, count, height }: { from: number; count: number; height: number },
): Promise<boolean> {
  const rows = await tx
    .update(wallets)
    .set({ nextNonce: from + count, alignedHeight: height })
    .where(and(stillHeld(lease), eq(wallets.nextNonce, from), pays()))
    .returning({ id: wallets.id });
  return rows.length === 1;
}

/** Sets the next nonce; `from` is its expected present value, `height` the block at which the chain's count is this. */
export async function moveNonce(
  db: Database,
  lease: WalletLease,
  { from, to, height }: { from: number | null; to: number; height: number },
): Promise<boolean> {
  const rows = await db
    .update(wallets)
    .set({ nextNonce: to, alignedHeight: height })
    .where(and(stillHeld(lease), from === null ? isNull(wallets.nextNonce) : eq(wallets.nextNonce, from)))
    .returning({ id: wallets.id });
  return rows.length === 1;
}

/** Waits for concurrent signing with the scope's wallets, and locks their rows until the transaction ends. */
export async function lockWalletsOf(tx: Database, { kind, key }: HaltScope): Promise<void> {
  if (kind !== "wallet" && kind !== "chain" && kind !== "all") return;
  const only = kind === "all" ? undefined : kind === "chain" ? eq(wallets.chain, key) : sql`${wallets.id}::text = ${key}`;
  await tx.select({ id: wallets.id }).from(wallets).where(only).orderBy(asc(wallets.id)).for("update");
}

export async function setWalletTrouble(db: Database, walletId: string, trouble: string | null): Promise<void> {
  await db
    .update(wallets)
    .set({ trouble })
    .where(and(eq(wallets.id, walletId), sql`${wallets.trouble} is distinct from ${trouble}`));
}

/** Changes the state of a wallet. Null for an unknown id. */
export async function setWalletState(tx: Database, walletId: string, state: WalletState): Promise<Wallet | null> {
  const [row] = await tx.update(wallets).set({ state }).where(eq(wallets.id, walletId)).returning();
  return row ?? null;
}

export async function findWallet(db: Database, walletId: string): Promise<Wallet | null> {
  const [row] = await db.select().from(wallets).where(eq(wallets.id, walletId));
  return row ?? null;
}

export async function lockWallet(tx: Database, walletId: string): Promise<Wallet | null> {
  const rows = await tx.select().from(wallets).where(eq(wallets.id, walletId)).for("update");
  return rows[0] ?? null;
}

/** Nobody has taken it since, as the token shows. An expired lease that nobody took still belongs to its holder. */
function stillHeld(lease: WalletLease) {
  return and(eq(wallets.id, lease.walletId), eq(wallets.leaseOwner, lease.owner), eq(wallets.fencingToken, lease.fencingToken));
}
