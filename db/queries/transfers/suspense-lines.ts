import { and, asc, desc, eq, gt, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { suspenseLines, treasuryCursors } from "#db/schema/suspense.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { type CursorName, isCounted, type LineName, type SuspenseLine, type SuspenseSum } from "#domain/suspense-line.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { ReadBlock } from "./chain-cursors.ts";
import { toTransfer } from "./transfers.ts";

/** Up to which block the movements of a chain's wallets or Safes were read; null before the first reading. */
export async function findTreasuryCursor(db: Database, chain: string, holder: CursorName): Promise<ReadBlock | null> {
  const [row] = await db
    .select({ height: treasuryCursors.height, hash: treasuryCursors.hash })
    .from(treasuryCursors)
    .where(and(eq(treasuryCursors.chain, chain), eq(treasuryCursors.holder, holder)));
  return row ?? null;
}

/** Records that everything up to this block was read. */
export async function saveTreasuryCursor(db: Database, chain: string, holder: CursorName, block: ReadBlock): Promise<void> {
  const { height, hash } = block;
  await db
    .insert(treasuryCursors)
    .values({ chain, holder, height, hash })
    .onConflictDoUpdate({ target: [treasuryCursors.chain, treasuryCursors.holder], set: { height, hash } });
}

/**
 * What our own payments in these transactions move: by the engine's attempts, the payments of packed ones, and by proofs. Each explains one
 * such event. A payment that its packed transaction did not make explains none: it is paid alone.
 */
export type OwnMove = { hash: string; token: string | null; recipient: string; amountBase: bigint };

export async function listOwnMoves(db: Database, chain: string, hashes: readonly string[]): Promise<OwnMove[]> {
  if (hashes.length === 0) return [];
  const wanted = sql`(select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb))`;
  const rows = await db.execute<{ hash: string; token: string | null; recipient: string; amount: string }>(sql`
    select moved.hash, lower(t.token_address) as token, lower(t.recipient) as recipient, t.amount_base::text as amount from (
      select a.hash, x.transfer_id from transaction_attempts a join transactions x on x.id = a.transaction_id
        where a.hash in ${wanted} and a.kind = 'payment'
      union select a.hash, m.transfer_id from transaction_attempts a join transactions x on x.id = a.transaction_id
        join pack_members m on m.pack_id = x.transfer_id and coalesce(m.outcome, '') not in ('refused', 'unpaid')
        where a.hash in ${wanted} and a.kind = 'payment'
      union select p.hash, p.transfer_id from transfer_proofs p where p.chain = ${chain} and p.hash in ${wanted}) moved
    join transfers t on t.id = moved.transfer_id and t.chain = ${chain} where t.purpose not in ('deployment', 'filler', 'pack', 'allowance')`);
  return rows.map(({ amount, ...row }) => ({ ...row, amountBase: BigInt(amount) }));
}

/** The sweeps of the coin among these transactions: the Safe is the recipient of the call. */
export async function listCoinSweeps(db: Database, chain: string, hashes: readonly string[]): Promise<(Transfer & { hash: string })[]> {
  if (hashes.length === 0) return [];
  const rows = await db
    .select({ transfer: transfers, hash: transactionAttempts.hash })
    .from(transactionAttempts)
    .innerJoin(transactions, eq(transactions.id, transactionAttempts.transactionId))
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .where(
      and(
        among(transactionAttempts.hash, hashes),
        eq(transactionAttempts.kind, "payment"),
        eq(transfers.chain, chain),
        eq(transfers.purpose, "sweep"),
        isNull(transfers.tokenAddress),
      ),
    );
  return rows.map(({ transfer, hash }) => ({ ...toTransfer(transfer), hash }));
}

/**
 * Stores what a node shows. A line that is there keeps what it is. One that was gone may be in another block now, and in another block a
 * transaction has another fee.
 *
 * @returns those that were not there, gone, or another fee
 */
export async function seeLines(db: Database, lines: readonly SuspenseLine[]): Promise<LineName[]> {
  if (lines.length === 0) return [];
  return await db
    .insert(suspenseLines)
    .values([...lines])
    .onConflictDoUpdate({
      target: [suspenseLines.chain, suspenseLines.hash, suspenseLines.place, suspenseLines.holder],
      set: {
        state: "seen",
        amountBase: sql`excluded.amount_base`,
        blockNumber: sql`excluded.block_number`,
        blockHash: sql`excluded.block_hash`,
      },
      setWhere: sql`${suspenseLines.state} = 'gone' or (${suspenseLines.state} = 'seen' and ${suspenseLines.amountBase} <> excluded.amount_base)`,
    })
    .returning({ chain: suspenseLines.chain, hash: suspenseLines.hash, place: suspenseLines.place, holder: suspenseLines.holder });
}

const OPEN = and(isNull(suspenseLines.resolution), ne(suspenseLines.state, "gone"));

/** What to ask the nodes about: what is not booked yet, and what was booked above a height. Oldest first. */
export async function listUnsettled(
  db: Database,
  chain: string,
  { above, limit }: { above: number; limit: number },
): Promise<SuspenseLine[]> {
  const booked = and(eq(suspenseLines.state, "booked"), gt(suspenseLines.blockNumber, above));
  return await db
    .select()
    .from(suspenseLines)
    .where(and(eq(suspenseLines.chain, chain), or(and(OPEN, eq(suspenseLines.state, "seen")), booked)))
    .orderBy(asc(suspenseLines.blockNumber), asc(suspenseLines.hash), asc(suspenseLines.place))
    .limit(limit);
}

/** Lines of a chain, or of one of its transactions or blocks, that are not explained, the oldest first. */
export async function listOpenLines(db: Database, of: { chain: string; hash?: string }, limit: number): Promise<SuspenseLine[]> {
  return await db
    .select()
    .from(suspenseLines)
    .where(and(OPEN, eq(suspenseLines.chain, of.chain), of.hash === undefined ? undefined : eq(suspenseLines.hash, of.hash)))
    .orderBy(asc(suspenseLines.foundAt), asc(suspenseLines.hash), asc(suspenseLines.place))
    .limit(limit);
}

/**
 * A deposit from before its token's books begin is part of their opening balance, so it needs no explanation. What left a wallet is always
 * shown.
 */
const IS_SHOWN = sql`(holder = 'safe' or direction <> 'in' or exists (select from treasury_books b
  where b.chain = suspense_lines.chain and b.currency = suspense_lines.currency and b.height < block_number))`;

/** What people have to explain, the oldest first. */
export async function listSuspense(db: Database, limit: number): Promise<SuspenseLine[]> {
  return await db
    .select()
    .from(suspenseLines)
    .where(and(OPEN, IS_SHOWN))
    .orderBy(asc(suspenseLines.foundAt), asc(suspenseLines.hash), asc(suspenseLines.place))
    .limit(limit);
}

/** Lines that were explained lately. */
export async function listExplainedLines(db: Database, limit: number): Promise<SuspenseLine[]> {
  return await db
    .select()
    .from(suspenseLines)
    .where(sql`${suspenseLines.resolution} is not null and ${suspenseLines.resolution} <> 'opening'`)
    .orderBy(desc(suspenseLines.resolvedAt))
    .limit(limit);
}

export async function findLine(db: Database, name: LineName): Promise<SuspenseLine | null> {
  const [row] = await db.select().from(suspenseLines).where(nameIs(name));
  return row ?? null;
}

/** Which of a transaction's logs moved something out of a wallet that is or was in suspense. */
export async function listPlacesInSuspense(db: Database, chain: string, hash: string): Promise<number[]> {
  const { place } = suspenseLines;
  const ofWallet = and(eq(suspenseLines.holder, "wallet"), ne(suspenseLines.state, "gone"));
  return (
    await db
      .select({ place })
      .from(suspenseLines)
      .where(and(ofWallet, eq(suspenseLines.chain, chain), eq(suspenseLines.hash, hash)))
  ).map((row) => row.place);
}

/** Held until the transaction ends. */
export async function lockLine(tx: Database, { chain, hash, place, holder }: LineName): Promise<SuspenseLine | null> {
  const [row] = await tx.select().from(suspenseLines).where(nameIs({ chain, hash, place, holder })).for("update");
  return row ?? null;
}

/** Held until the transaction ends: the wallets' and Safes' open lines of transactions. */
export async function lockLinesOf(tx: Database, chain: string, hashes: readonly string[]): Promise<SuspenseLine[]> {
  if (hashes.length === 0) return [];
  return await tx
    .select()
    .from(suspenseLines)
    .where(and(OPEN, eq(suspenseLines.chain, chain), inArray(suspenseLines.hash, [...hashes])))
    .orderBy(asc(suspenseLines.hash), asc(suspenseLines.place), asc(suspenseLines.holder))
    .for("update");
}

type Change = Pick<SuspenseLine, "state" | "bookings" | "blockNumber" | "blockHash" | "resolution" | "proposalId" | "resolvedAt">;

/** Stores what became of a locked line. */
export async function saveLine(tx: Database, line: LineName & Change): Promise<void> {
  const { state, bookings, blockNumber, blockHash, resolution, proposalId, resolvedAt } = line;
  await tx.update(suspenseLines).set({ state, bookings, blockNumber, blockHash, resolution, proposalId, resolvedAt }).where(nameIs(line));
}

function nameIs({ chain, hash, place, holder }: LineName): SQL | undefined {
  return and(
    eq(suspenseLines.chain, chain),
    eq(suspenseLines.hash, hash),
    eq(suspenseLines.place, place),
    eq(suspenseLines.holder, holder),
  );
}

/** The ledger has counted the movement, unless a payment of its own did, or the opening balance. */
const IS_IN_BOOKS = sql`holder = 'wallet' and direction <> 'within' and state = 'booked' and coalesce(resolution, '') not in ('payment', 'opening')`;

/** What lines changed in the books of a token in blocks above a height. */
export async function sumLinesAbove(
  db: Database,
  { chain, currency }: { chain: string; currency: string },
  height: number,
): Promise<bigint> {
  const [row] = await db.execute<{ sum: string }>(sql`
    select coalesce(sum(case direction when 'in' then amount_base else -amount_base end), 0)::text as sum from suspense_lines
    where chain = ${chain} and currency = ${currency} and block_number > ${height} and ${IS_IN_BOOKS}`);
  return BigInt(row?.sum ?? 0);
}

/** The wallets' lines that no entry counts yet. */
export async function listUnbooked(db: Database, chain: string): Promise<SuspenseLine[]> {
  const lines = await db
    .select()
    .from(suspenseLines)
    .where(and(OPEN, eq(suspenseLines.chain, chain), eq(suspenseLines.state, "seen")));
  return lines.filter(isCounted);
}

/** What people have to explain, by chain, holder, direction and currency. */
export async function sumSuspense(db: Database): Promise<SuspenseSum[]> {
  const rows = await db.execute<Omit<SuspenseSum, "amountBase"> & { amount: string }>(sql`
    select chain, holder, direction, currency, decimals, count(*)::int as count, sum(amount_base)::text as amount,
      greatest(0, extract(epoch from (select business_now()) - min(found_at)))::float8 as "oldestSeconds"
    from suspense_lines where resolution is null and state <> 'gone' and ${IS_SHOWN} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4`);
  return rows.map(({ amount, ...row }) => ({ ...row, amountBase: BigInt(amount) }));
}
