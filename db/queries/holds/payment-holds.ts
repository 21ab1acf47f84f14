import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among, insertRows } from "#db/rows.ts";
import { withdrawals } from "#db/schema/fiat-orders.ts";
import { partners } from "#db/schema/partners.ts";
import { paymentHolds, paymentVerdicts } from "#db/schema/payment-checks.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { NamedDecider } from "#domain/approval.ts";
import type { Check, CheckStage, Finding, HoldOutcome } from "#domain/payment-check.ts";
import type { TransferPurpose } from "#domain/transfer.ts";

/** A payment's key in holds and verdicts: a purpose and owner have one transfer, for ever. */
export type PaymentOf = { purpose: TransferPurpose; ownerId: string };

export type KeptVerdict = PaymentOf & {
  id: string;
  partnerId: string | null;
  check: Check;
  stage: CheckStage;
  outcome: "pass" | "hold";
  findings: readonly Finding[];
  at: Date;
};

export type PaymentHold = PaymentOf & {
  id: string;
  partnerId: string | null;
  check: Check;
  verdictId: string;
  /** The findings that hold it. */
  keys: string[];
  reason: string;
  heldAt: Date;
  outcome: HoldOutcome;
  decision: { at: Date; by: NamedDecider | null; reason: string | null } | null;
};

export async function insertVerdicts(tx: Database, verdicts: readonly KeptVerdict[]): Promise<void> {
  await insertRows(tx, paymentVerdicts, verdicts);
}

export type NewHold = Omit<PaymentHold, "outcome" | "decision">;

/** Holds payments whose transfers are queued and locked, or made in this very transaction, until people decide. */
export async function insertHolds(tx: Database, holds: readonly NewHold[]): Promise<void> {
  if (holds.length === 0) return;
  await Promise.all([
    insertRows(
      tx,
      paymentHolds,
      holds.map((hold) => ({ ...hold, keys: [...hold.keys] })),
    ),
    // A partner's request may add a hold to its payment, and write nothing else of it.
    tx.execute(sql`select hold_payments(array(select jsonb_array_elements_text(${JSON.stringify(holds.map(({ id }) => id))}::jsonb)))`),
  ]);
}

/** The payment is due again. The transfer must be locked. */
export async function unholdTransfer(tx: Database, transferId: string): Promise<void> {
  await tx.execute(sql`
    with freed as (update transfers set waiting_kind = null, waiting_since = null, waiting_reason = null, rest_until = null, lease_until = null, lease_token = null
      where id = ${transferId} and state = 'queued' returning 1)
    select pg_notify('due_work', 'transfers') from freed`);
}

/** Locks the open holds of a payment until the transaction ends, oldest first. */
export async function lockOpenHolds(tx: Database, { purpose, ownerId }: PaymentOf): Promise<PaymentHold[]> {
  const only = and(eq(paymentHolds.purpose, purpose), eq(paymentHolds.ownerId, ownerId), eq(paymentHolds.outcome, "open"));
  return (await tx.select().from(paymentHolds).where(only).orderBy(asc(paymentHolds.id)).for("update")).map(toHold);
}

/** Decides on locked holds. `decision.by` null: the payment ended by itself. */
export async function decideHolds(
  tx: Database,
  ids: readonly string[],
  outcome: Exclude<HoldOutcome, "open">,
  decision: NonNullable<PaymentHold["decision"]>,
): Promise<void> {
  if (ids.length === 0) return;
  const decider = decision.by && { deciderType: decision.by.type, deciderId: decision.by.id, deciderName: decision.by.name };
  await tx
    .update(paymentHolds)
    .set({ outcome, decidedAt: decision.at, decisionReason: decision.reason, ...decider })
    .where(and(among(paymentHolds.id, ids), eq(paymentHolds.outcome, "open")));
}

/** Closes remaining holds of a payment that has ended without a decision on them. */
export async function endHolds(tx: Database, { purpose, ownerId }: PaymentOf, at: Date): Promise<void> {
  await tx
    .update(paymentHolds)
    .set({ outcome: "ended", decidedAt: at })
    .where(and(eq(paymentHolds.purpose, purpose), eq(paymentHolds.ownerId, ownerId), eq(paymentHolds.outcome, "open")));
}

/** All holds of these payments, oldest first: open ones, and those they were released from. */
export async function listHoldsOf(db: Database, ownerIds: readonly string[]): Promise<PaymentHold[]> {
  if (ownerIds.length === 0) return [];
  return (await db.select().from(paymentHolds).where(among(paymentHolds.ownerId, ownerIds)).orderBy(asc(paymentHolds.id))).map(toHold);
}

/** A held payment for the console: amount, recipient and partner. The recipient of a withdrawal is the payee's account. */
export type HeldPayment = PaymentHold & {
  transferId: string;
  amountBase: bigint;
  tokenDecimals: number;
  currency: string;
  recipient: string;
  partnerName: string | null;
};

/** What waits for a decision, longest first, and how much of it there is altogether. */
export async function listOpenHolds(db: Database, limit: number): Promise<{ held: HeldPayment[]; total: number }> {
  const open = eq(paymentHolds.outcome, "open");
  const rows = await db
    .select({ hold: paymentHolds, transfer: transfers, partnerName: partners.name, payee: withdrawals.destinationAccount })
    .from(paymentHolds)
    .innerJoin(transfers, and(eq(transfers.purpose, paymentHolds.purpose), eq(transfers.ownerId, paymentHolds.ownerId)))
    .leftJoin(withdrawals, and(eq(paymentHolds.purpose, "sweep"), eq(withdrawals.id, paymentHolds.ownerId)))
    .leftJoin(partners, eq(partners.id, paymentHolds.partnerId))
    .where(open)
    .orderBy(asc(paymentHolds.heldAt), asc(paymentHolds.id))
    .limit(limit);
  const held = rows.map(({ hold, transfer, partnerName, payee }) => {
    const { id: transferId, amountBase, tokenDecimals, currency } = transfer;
    return { ...toHold(hold), transferId, amountBase, tokenDecimals, currency, recipient: payee ?? transfer.recipient, partnerName };
  });
  return { held, total: held.length < limit ? held.length : await db.$count(paymentHolds, open) };
}

/** All verdicts on a payment, oldest first. */
export async function listVerdictsOf(db: Database, ownerId: string): Promise<KeptVerdict[]> {
  return await db
    .select()
    .from(paymentVerdicts)
    .where(eq(paymentVerdicts.ownerId, ownerId))
    .orderBy(asc(paymentVerdicts.at), asc(paymentVerdicts.id));
}

function toHold(row: typeof paymentHolds.$inferSelect): PaymentHold {
  const { decidedAt, deciderType, deciderId, deciderName, decisionReason, ...hold } = row;
  const by = deciderType === null || deciderId === null ? null : { type: deciderType, id: deciderId, name: deciderName ?? deciderId };
  return { ...hold, decision: decidedAt === null ? null : { at: decidedAt, by, reason: decisionReason } };
}
