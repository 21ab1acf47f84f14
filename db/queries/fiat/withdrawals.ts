import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { withdrawals } from "#db/schema/fiat-orders.ts";
import { WITHDRAWAL_STEP_FACTS, WITHDRAWAL_STEPS, type Withdrawal, withdrawalStatus } from "#domain/withdrawal.ts";
import { orderOf, UNTOUCHED, wakeFiat } from "./fiat-work.ts";

type Row = typeof withdrawals.$inferSelect;

/** Stores a new withdrawal, due at once. A taken `externalId` violates `withdrawals_external_id`. */
export async function insertWithdrawal(tx: Database, withdrawal: Withdrawal): Promise<void> {
  await tx.insert(withdrawals).values({ ...toRow(withdrawal), tries: 0, dueAt: withdrawal.createdAt });
  await wakeFiat(tx);
}

/** The withdrawal of that id, of this partner where one is named: a foreign id finds nothing. */
export async function findWithdrawal(db: Database, id: string, partnerId?: string): Promise<Withdrawal | null> {
  const [row] = await db.select().from(withdrawals).where(ownedBy(id, partnerId));
  return row ? toWithdrawal(row) : null;
}

/** As {@link findWithdrawal}, and locks the row until the transaction ends. */
export async function lockWithdrawal(tx: Database, id: string, partnerId?: string): Promise<Withdrawal | null> {
  const [row] = await tx.select().from(withdrawals).where(ownedBy(id, partnerId)).for("update");
  return row ? toWithdrawal(row) : null;
}

/** Those of these ids, in no order. */
export async function listWithdrawals(db: Database, ids: readonly string[]): Promise<Withdrawal[]> {
  if (ids.length === 0) return [];
  return (await db.select().from(withdrawals).where(among(withdrawals.id, ids))).map(toWithdrawal);
}

/** Records an owner's yes to the payee of a withdrawal, for all of the partner's payouts to that account. False: it was given before. */
export async function approvePayeeOf(tx: Database, id: string, { userId, now }: { userId: string; now: Date }): Promise<boolean> {
  const { count } = await tx
    .update(withdrawals)
    .set({ payeeApprovedAt: now, payeeApprovedBy: userId })
    .where(and(eq(withdrawals.id, id), isNull(withdrawals.payeeApprovedAt)));
  return count > 0;
}

/** The partner's order with its own reference. */
export async function findWithdrawalByExternalId(db: Database, partnerId: string, externalId: string): Promise<Withdrawal | null> {
  const [row] = await db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.partnerId, partnerId), eq(withdrawals.externalId, externalId)));
  return row ? toWithdrawal(row) : null;
}

/** Writes the result of `advanceWithdrawal` on a locked withdrawal and clears its lease. If the worker has the next step, it is due now. */
export async function saveWithdrawal(tx: Database, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { id, ...changed } = toRow(withdrawal);
  const ours = withdrawal.step === "reserved" || withdrawal.step === "paying_out";
  await tx
    .update(withdrawals)
    .set({ ...changed, ...UNTOUCHED, dueAt: ours ? now : null })
    .where(eq(withdrawals.id, id));
  if (ours) await wakeFiat(tx);
}

/**
 * Ends the sweep of a withdrawal that was just cancelled, and the holds on it. False, and nothing has changed: a worker has the sweep in
 * hand, or a transaction was made for it. It waits for no lock.
 */
export async function endCancelledSweep(tx: Database, { id, partnerId }: Pick<Withdrawal, "id" | "partnerId">): Promise<boolean> {
  const [row] = await tx.execute<{ ended: boolean }>(sql`select end_cancelled_sweep(${id}, ${partnerId}::uuid) as ended`);
  return row?.ended === true;
}

/** The steps in which a withdrawal reserves its payout, as a list of SQL; `withdrawals_reserved` indexes these. */
export const HOLDING = sql.join(
  WITHDRAWAL_STEPS.filter((step) => WITHDRAWAL_STEP_FACTS[step].holdsPool).map((step) => sql`${step}`),
  sql`, `,
);

/** The amount of a pool that is promised to all partners, in minor units. Under the pool's lock it cannot grow meanwhile. */
export async function sumReserved(db: Database, currency: string): Promise<bigint> {
  const [row] = await db.execute<{ reserved: string | null }>(sql`
    select sum(amount_minor) as reserved from promised_withdrawals
    where currency = ${currency} and step in (${HOLDING})`);
  return BigInt(row?.reserved ?? 0);
}

export type SafeToken = { chain: string; safeAddress: string; tokenAddress: string | null };

/** The amount of a Safe that is promised and not taken yet, for all members that share it, in base units of the token. */
export async function sumPromisedOfSafe(db: Database, { chain, safeAddress, tokenAddress }: SafeToken): Promise<bigint> {
  const [row] = await db.execute<{ promised: string | null }>(sql`
    select sum(source_amount_base) as promised from promised_withdrawals
    where chain = ${chain} and lower(safe_address) = lower(${safeAddress}) and step in ('reserved', 'sweeping')
      and lower(token_address) is not distinct from lower(${tokenAddress}::text)`);
  return BigInt(row?.promised ?? 0);
}

/** Locks a Safe until the transaction ends, so that only one request at a time is promised its balance. */
export async function lockSafe(tx: Database, safe: { chain: string; safeAddress: string }): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${safe.chain} ${safe.safeAddress.toLowerCase()}`}, 7355610))`);
}

function ownedBy(id: string, partnerId: string | undefined) {
  return and(eq(withdrawals.id, id), partnerId === undefined ? undefined : eq(withdrawals.partnerId, partnerId));
}

function toRow(withdrawal: Withdrawal) {
  const { destination, ...rest } = withdrawal;
  return {
    ...rest,
    status: withdrawalStatus(withdrawal),
    destinationType: destination.type,
    destinationAccount: destination.account,
    destinationName: destination.name,
  };
}

export function toWithdrawal(row: Row): Withdrawal {
  const { payeeApprovedAt, payeeApprovedBy, ...order } = orderOf(row);
  const { destinationType: type, destinationAccount: account, destinationName: name, ...rest } = order;
  return { ...rest, destination: { type, account, name } };
}
