import { and, eq, gt, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import { listMembers, type Member } from "./pack-members.ts";
import { toTransfer } from "./transfers.ts";
import { unfinished } from "./unfinished.ts";
import { whetherSuperseded } from "./whether-superseded.ts";

/** What our own transfers did to the treasury of a chain, for anyone who compares the ledger with the chain. */

/** A sweep brings in, a deployment moves nothing, a packed transaction's payments count themselves, everything else goes out. */
const MOVED: SQL<string> = sql`case when ${transfers.purpose} = 'sweep' then ${transfers.amountBase} when ${transfers.purpose} in ('deployment', 'pack') then 0 else -${transfers.amountBase} end`;

/** The amounts of executed transfers, which the ledger has, in blocks above a height or in blocks that are gone. */
export async function sumMovedAbove(db: Database, token: { chain: string; currency: string }, height: number): Promise<bigint> {
  const [row] = await db
    .select({ moved: sql<string>`coalesce(sum(${MOVED}), 0)::text` })
    .from(transfers)
    .where(
      and(
        eq(transfers.chain, token.chain),
        eq(transfers.currency, token.currency),
        eq(transfers.state, "executed"),
        or(gt(transfers.blockNumber, height), isNotNull(transfers.orphanedSince)),
      ),
    );
  return BigInt(row?.moved ?? 0);
}

/**
 * Transfers of which the books may say something else than the chain: those on their way, executed ones whose blocks it has dropped, and those
 * a nonce of which hangs in the air; with every attempt that was signed for them.
 */
export async function listUnderway(db: Database, chain: string): Promise<Underway[]> {
  const { hash, kind } = transactionAttempts;
  const ids = sql`any(array(
    select own.id from transfers own where ${unfinished("own")} and own.state in ('signed', 'broadcast', 'mined', 'needs_review') union
    select own.id from transfers own where own.chain = ${chain} and own.adrift_since is not null union
    select place.transfer_id from adrift_places place))`;
  const rows = await db
    .select({ transfer: transfers, hash, kind })
    .from(transfers)
    .innerJoin(transactions, eq(transactions.transferId, transfers.id))
    .innerJoin(transactionAttempts, eq(transactionAttempts.transactionId, transactions.id))
    .where(and(eq(transfers.chain, chain), sql`${transfers.id} = ${ids}`, sql`${transactions.transferId} = ${ids}`, whetherSuperseded()));
  const packs = rows.flatMap(({ transfer }) => (transfer.purpose === "pack" ? [transfer.id] : []));
  const members = Map.groupBy(await listMembers(db, [...new Set(packs)]), ({ packId }) => packId);
  return [...Map.groupBy(rows, ({ transfer }) => transfer.id).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { state, orphanedSince } = first.transfer;
    const isBooked = state === "failed" || (state === "executed" && orphanedSince === null);
    return [{ transfer: toTransfer(first.transfer), isBooked, attempts: group, members: members.get(first.transfer.id) ?? [] }];
  });
}
/** `isBooked`: the ledger has its amount, if any; `sumMovedAbove` covers only those. `members`: of a packed transaction. */
export type Underway = {
  transfer: Transfer;
  isBooked: boolean;
  attempts: { hash: string; kind: "payment" | "cancellation" }[];
  members: readonly Member[];
};

/** The block before the first one of any transfer of the chain, or of a superseded transaction with a fee; null before there is one. */
export async function blockBeforeTransfers(db: Database, chain: string): Promise<number | null> {
  const [row] = await db.execute<{ first: string | null }>(
    sql`select least((select min(block_number) from transfers where chain = ${chain}),
      (select min(block_number) from network_fees where chain = ${chain}))::text as first`,
  );
  return row?.first == null ? null : Number(row.first) - 1;
}
