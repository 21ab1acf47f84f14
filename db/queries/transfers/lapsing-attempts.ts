import { and, asc, eq, gt, inArray, notInArray, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { lapsingAttempts } from "#db/schema/lapsing-attempts.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { Transfer } from "#domain/transfer.ts";
import { toTransfer } from "./transfers.ts";
import { pays } from "./wallets.ts";

export type LapsingRow = typeof lapsingAttempts.$inferSelect;
/** An attempt with what it pays. */
export type OpenLapsing = { attempt: LapsingRow; transfer: Transfer };
/** What an open attempt may still take out of its wallet. Tokens: null is the coin. */
export type LapsingClaim = { id: string; token: string | null; amountBase: bigint; feeToken: string | null; feeAtMost: bigint };

const OPEN = inArray(lapsingAttempts.state, ["stored", "sent", "seen"]);

/** Stores signed bytes before they go out. The unique index refuses a second attempt that may pay. */
export async function insertLapsingAttempt(
  tx: Database,
  attempt: Omit<LapsingRow, "number" | "state" | "sentAt" | "lookAt" | "blockNumber" | "blockHash" | "endedAt" | "used">,
): Promise<void> {
  const number = sql<number>`(select coalesce(max(a.number), 0) + 1 from lapsing_attempts a where a.transfer_id = ${attempt.transferId})`;
  await tx.insert(lapsingAttempts).values({ ...attempt, number, state: "stored", lookAt: sql`clock_timestamp()` });
}

/** Open attempts on a chain whose time has come. They are not due again for a while, so that workers do not ask the same at once. */
export async function takeDueLapsing(
  db: Database,
  chain: string,
  { limit, againInMs }: { limit: number; againInMs: number },
): Promise<OpenLapsing[]> {
  const taken = await db.execute<{ id: string }>(sql`
    with due as (
      select a.id from lapsing_attempts a join wallets w on w.id = a.wallet_id
      where w.chain = ${chain} and a.state in ('stored', 'sent', 'seen') and a.look_at <= clock_timestamp()
      order by a.look_at limit ${limit} for update of a skip locked
    )
    update lapsing_attempts a set look_at = clock_timestamp() + ${againInMs} * interval '1 millisecond' from due where a.id = due.id returning a.id`);
  if (taken.length === 0) return [];
  const rows = await db
    .select({ attempt: lapsingAttempts, transfer: transfers })
    .from(lapsingAttempts)
    .innerJoin(transfers, eq(transfers.id, lapsingAttempts.transferId))
    .where(
      and(
        among(
          lapsingAttempts.id,
          taken.map(({ id }) => id),
        ),
        OPEN,
      ),
    )
    .orderBy(asc(lapsingAttempts.signedAt), asc(lapsingAttempts.id));
  return rows.map(({ attempt, transfer }) => ({ attempt, transfer: toTransfer(transfer) }));
}

/** Whether the database knows a payment by its id on the chain. */
export async function hasLapsingAttempt(db: Database, id: string): Promise<boolean> {
  const found = await db.select({ id: lapsingAttempts.id }).from(lapsingAttempts).where(eq(lapsingAttempts.id, id)).limit(1);
  return found.length > 0;
}

/** Which of these ids the database knows. */
export async function listKnownLapsing(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = await db.select({ id: lapsingAttempts.id }).from(lapsingAttempts).where(among(lapsingAttempts.id, ids));
  return known.map(({ id }) => id);
}

/** Whether an attempt of a payment has paid it, or may still. */
export async function hasLapsingAttemptThatMayPay(db: Database, transferId: string): Promise<boolean> {
  const mayPay = and(eq(lapsingAttempts.transferId, transferId), notInArray(lapsingAttempts.state, ["failed", "lapsed"]));
  return (await db.select({ id: lapsingAttempts.id }).from(lapsingAttempts).where(mayPay).limit(1)).length > 0;
}

/** Locks an attempt until the transaction ends. Its transfer's row is locked first. */
export async function lockLapsingAttempt(tx: Database, id: string): Promise<LapsingRow | null> {
  const rows = await tx.select().from(lapsingAttempts).where(eq(lapsingAttempts.id, id)).for("update");
  return rows[0] ?? null;
}

/** An attempt by the payment's id on the chain. */
export async function findLapsingAttempt(db: Database, id: string): Promise<LapsingRow | null> {
  const [row] = await db.select().from(lapsingAttempts).where(eq(lapsingAttempts.id, id));
  return row ?? null;
}

/** All attempts of a payment, the first one first, each with its wallet's address. */
export async function listLapsingOf(db: Database, transferId: string): Promise<(LapsingRow & { walletAddress: string })[]> {
  const rows = await db
    .select({ attempt: lapsingAttempts, walletAddress: wallets.address })
    .from(lapsingAttempts)
    .innerJoin(wallets, eq(wallets.id, lapsingAttempts.walletId))
    .where(eq(lapsingAttempts.transferId, transferId))
    .orderBy(asc(lapsingAttempts.number));
  return rows.map(({ attempt, walletAddress }) => ({ ...attempt, walletAddress }));
}

/** How far a locked attempt has come. */
export async function saveLapsingAttempt(
  tx: Database,
  {
    id,
    state,
    sentAt,
    blockNumber,
    blockHash,
    endedAt,
    used = null,
  }: Pick<LapsingRow, "id" | "state" | "sentAt" | "blockNumber" | "blockHash" | "endedAt"> & Partial<Pick<LapsingRow, "used">>,
): Promise<void> {
  await tx.update(lapsingAttempts).set({ state, sentAt, blockNumber, blockHash, endedAt, used }).where(eq(lapsingAttempts.id, id));
}

/** What may still leave a wallet above a height: by open attempts, and by those that ended in a later block. */
export async function listLapsingClaims(
  db: Database,
  chain: string,
  { wallet, above }: { wallet: string; above: number },
): Promise<LapsingClaim[]> {
  return await claimsOf(db).where(
    and(eq(wallets.chain, chain), eq(wallets.address, wallet), or(OPEN, gt(lapsingAttempts.blockNumber, above))),
  );
}

/** What the open attempts of all wallets of a chain may still take out of them. */
export async function listOpenLapsingClaims(db: Database, chain: string): Promise<LapsingClaim[]> {
  return await claimsOf(db).where(and(eq(wallets.chain, chain), OPEN));
}

function claimsOf(db: Database) {
  return db
    .select({
      id: lapsingAttempts.id,
      token: transfers.tokenAddress,
      amountBase: transfers.amountBase,
      feeToken: lapsingAttempts.feeToken,
      feeAtMost: lapsingAttempts.feeAtMost,
    })
    .from(lapsingAttempts)
    .innerJoin(transfers, eq(transfers.id, lapsingAttempts.transferId))
    .innerJoin(wallets, eq(wallets.id, lapsingAttempts.walletId));
}

/** Locks a wallet, so that two workers do not promise the same balance. Its id, or null where it signs no new payment (halted, not active). */
export async function lockPayingWallet(tx: Database, chain: string, address: string): Promise<string | null> {
  const ours = and(eq(wallets.chain, chain), eq(wallets.address, address));
  const locked = await tx.select({ id: wallets.id }).from(wallets).where(ours).for("update");
  if (locked.length === 0) return null;
  const paying = await tx.select({ id: wallets.id }).from(wallets).where(and(ours, pays()));
  return paying[0]?.id ?? null;
}

/** Whether an attempt on the chain is still open, so that the next block matters. */
export async function hasOpenLapsing(db: Database, chain: string): Promise<boolean> {
  const rows = await db
    .select({ id: lapsingAttempts.id })
    .from(lapsingAttempts)
    .innerJoin(wallets, eq(wallets.id, lapsingAttempts.walletId))
    .where(and(eq(wallets.chain, chain), OPEN))
    .limit(1);
  return rows.length > 0;
}

/** All attempts by their ids, from one id on, with what they pay and who signed them. */
export async function listLapsingAfter(db: Database, after: string, limit: number): Promise<(OpenLapsing & { walletAddress: string })[]> {
  const rows = await db
    .select({ attempt: lapsingAttempts, transfer: transfers, walletAddress: wallets.address })
    .from(lapsingAttempts)
    .innerJoin(transfers, eq(transfers.id, lapsingAttempts.transferId))
    .innerJoin(wallets, eq(wallets.id, lapsingAttempts.walletId))
    .where(gt(lapsingAttempts.id, after))
    .orderBy(asc(lapsingAttempts.id))
    .limit(limit);
  return rows.map(({ transfer, ...row }) => ({ ...row, transfer: toTransfer(transfer) }));
}

/** The highest block that an ended attempt on the chain is in; -1: none is. One step down the index for each wallet, however many there are. */
export async function highestLapsingBlock(db: Database, chain: string): Promise<number> {
  const [row] = await db.execute<{ height: string | null }>(sql`
    select max(newest.block_number)::text as height from wallets w cross join lateral (
      select a.block_number from lapsing_attempts a
      where a.wallet_id = w.id and a.block_number is not null and a.ended_at is not null order by a.block_number desc limit 1
    ) newest where w.chain = ${chain}`);
  return Number(row?.height ?? -1);
}

/** How many of a wallet's newest attempts say what a payment may cost. */
const RECENT = 50;

/** The largest fee that one of the newest attempts in a block may have cost, of each of a chain's wallets; null: there is none yet. */
export async function findLargestLapsingFee(db: Database, chain: string): Promise<{ token: string | null; amountBase: bigint } | null> {
  const [row] = await db.execute<{ token: string | null; most: string }>(sql`
    select fee_token as token, max(fee_at_most)::text as most from wallets w cross join lateral (
      select a.fee_token, a.fee_at_most from lapsing_attempts a
      where a.wallet_id = w.id and a.block_number is not null order by a.block_number desc limit ${RECENT}
    ) newest
    where w.chain = ${chain} group by 1 order by max(fee_at_most) desc limit 1`);
  return row === undefined ? null : { token: row.token, amountBase: BigInt(row.most) };
}
