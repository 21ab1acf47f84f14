import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { transfers } from "#db/schema/transfers.ts";
import { treasuryWithdrawals } from "#db/schema/treasury-withdrawals.ts";
import type { TreasuryWithdrawal } from "#domain/treasury-withdrawal.ts";

export async function insertTreasuryWithdrawal(tx: Database, withdrawal: TreasuryWithdrawal): Promise<void> {
  await tx.insert(treasuryWithdrawals).values(withdrawal);
}

/** Locks the row until the transaction ends. */
export async function lockTreasuryWithdrawal(tx: Database, id: string): Promise<TreasuryWithdrawal | null> {
  const [row] = await tx.select().from(treasuryWithdrawals).where(eq(treasuryWithdrawals.id, id)).for("update");
  return row ?? null;
}

/** What people have decided. */
export async function decideTreasuryWithdrawal(tx: Database, { id, ...after }: TreasuryWithdrawal): Promise<void> {
  const { state, decidedAt, decidedBy, updatedAt } = after;
  await tx.update(treasuryWithdrawals).set({ state, decidedAt, decidedBy, updatedAt }).where(eq(treasuryWithdrawals.id, id));
}

/** How its payment has ended. */
export async function endTreasuryWithdrawal(tx: Database, { id, ...after }: TreasuryWithdrawal): Promise<void> {
  const { state, txHash, failureReason, updatedAt } = after;
  await tx.update(treasuryWithdrawals).set({ state, txHash, failureReason, updatedAt }).where(eq(treasuryWithdrawals.id, id));
}

/** Those of these that exist. */
export async function listTreasuryWithdrawals(db: Database, ids: readonly string[]): Promise<TreasuryWithdrawal[]> {
  return ids.length === 0 ? [] : await db.select().from(treasuryWithdrawals).where(among(treasuryWithdrawals.id, ids));
}

/** A withdrawal with its people by name, and what its payment waits for. */
export type TreasuryWithdrawalView = TreasuryWithdrawal & {
  proposer: string;
  signers: readonly { id: string; name: string }[];
  transferId: string | null;
  waitingReason: string | null;
};

const PROPOSER = sql<string>`(select u.name from users u where u.id = ${treasuryWithdrawals.proposedBy})`;
const SIGNERS = sql<
  readonly { id: string; name: string }[]
>`coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by s.signed_at)
  from decision_signatures s join users u on u.id = s.user_id
  where s.object_id = ${treasuryWithdrawals.id} and s.action = 'treasury.withdraw'), '[]'::jsonb)`;

/** The newest, newest first. */
export async function listNewestTreasuryWithdrawals(db: Database, limit: number): Promise<TreasuryWithdrawalView[]> {
  const ofIt = and(eq(transfers.purpose, "treasury_withdrawal"), eq(transfers.ownerId, treasuryWithdrawals.id));
  const rows = await db
    .select({
      withdrawal: treasuryWithdrawals,
      proposer: PROPOSER,
      signers: SIGNERS,
      transferId: transfers.id,
      waitingReason: transfers.waitingReason,
    })
    .from(treasuryWithdrawals)
    .leftJoin(transfers, ofIt)
    .orderBy(desc(treasuryWithdrawals.id))
    .limit(limit);
  return rows.map(({ withdrawal, ...more }) => ({ ...withdrawal, ...more }));
}

/** A page of all of them, in the order of their ids. */
export async function listTreasuryWithdrawalsAfter(db: Database, after: string, limit: number): Promise<TreasuryWithdrawal[]> {
  return await db
    .select()
    .from(treasuryWithdrawals)
    .where(gt(treasuryWithdrawals.id, after))
    .orderBy(asc(treasuryWithdrawals.id))
    .limit(limit);
}
