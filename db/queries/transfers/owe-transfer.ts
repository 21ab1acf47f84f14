import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transfers } from "#db/schema/transfers.ts";
import { columnsOf, statement } from "#db/statement.ts";
import { sentTogether } from "#db/transaction.ts";
import type { Transfer } from "#domain/transfer.ts";
import { toTransfer, wakeTransfers } from "./transfers.ts";

type Row = typeof transfers.$inferSelect;

/**
 * Stores a payment and wakes the worker. Our roles may not write the row: a function of the database copies it from its owner, which must
 * be in the state that owes it (docs/decisions/second-line.md). Returns what was stored; null where the owner has its payment already.
 */
export async function oweTransfer(tx: Database, transfer: Transfer): Promise<Transfer | null> {
  const [[row]] = await sentTogether(owe(tx, transfer), wakeTransfers(tx));
  return row === undefined ? null : toTransfer(row);
}

function owe(tx: Database, { id, purpose, ownerId, partnerId, call, currency, tokenDecimals }: Transfer): Promise<Row[]> {
  if (purpose === "settlement") return oweSettlement(tx, { id, ownerId, partnerId });
  if (purpose === "topup" || purpose === "return") return oweOrder(tx, { id, purpose, ownerId, partnerId });
  if (purpose === "treasury_withdrawal") return oweTreasuryWithdrawal(tx, { id, ownerId });
  const fixed = { to: call?.to, value: String(call?.valueBase ?? 0n), data: call?.data, sender: call?.sender };
  return oweCall(tx, { id, purpose, ownerId, partnerId, call: JSON.stringify({ ...fixed, currency, decimals: tokenDecimals }) });
}

type Owed = { id: string; ownerId: string; partnerId: string | null };

const oweSettlement = statement<Owed, Row>(
  (param) => sql`
    select ${columnsOf(transfers)} from owe_settlement(${param("id")}, ${param("ownerId")}, ${param("partnerId")}::uuid) as transfers`,
  transfers,
);
/**
 * The same of settlements' payments, in one statement. Returns those that were stored: a settlement that has its payment already is left out.
 */
export async function oweSettlements(tx: Database, payments: readonly Transfer[]): Promise<Transfer[]> {
  const [first, ...others] = payments;
  if (first !== undefined && others.length === 0) {
    const stored = await oweTransfer(tx, first);
    return stored === null ? [] : [stored];
  }
  const asked = payments.map(({ id, ownerId, partnerId }) => ({ id, owner: ownerId, partner: partnerId }));
  const [rows] = await sentTogether(oweMany(tx, { asked: JSON.stringify(asked) }), wakeTransfers(tx));
  return rows.map(toTransfer);
}

const oweMany = statement<{ asked: string }, Row>(
  (param, layout) => sql`
    select ${columnsOf(transfers)} from ${layout === "citus" ? sql`citus_owe_many(${param("asked")}::text::jsonb)` : eachOf(param("asked"))} as transfers`,
  transfers,
);
const eachOf = (asked: SQL) => sql`jsonb_to_recordset(${asked}::text::jsonb) as asked(id text, owner text, partner uuid)
    cross join lateral owe_settlement(asked.id, asked.owner, asked.partner)`;
const oweOrder = statement<Owed & { purpose: string }, Row>(
  (param) => sql`
    select ${columnsOf(transfers)}
    from owe_order(${param("id")}, ${param("purpose")}, ${param("ownerId")}, ${param("partnerId")}::uuid) as transfers`,
  transfers,
);
const oweTreasuryWithdrawal = statement<Pick<Owed, "id" | "ownerId">, Row>(
  (param) => sql`select ${columnsOf(transfers)} from owe_treasury_withdrawal(${param("id")}, ${param("ownerId")}) as transfers`,
  transfers,
);
const oweCall = statement<Owed & { purpose: string; call: string }, Row>(
  (param) => sql`
    select ${columnsOf(transfers)} from owe_call(
      ${param("id")}, ${param("purpose")}, ${param("ownerId")}, ${param("partnerId")}::uuid, ${param("call")}::text::jsonb) as transfers`,
  transfers,
);
