import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { topups } from "#db/schema/fiat-orders.ts";
import { type Topup, topupStatus } from "#domain/topup.ts";
import { orderOf, UNTOUCHED, wakeFiat } from "./fiat-work.ts";

type Row = typeof topups.$inferSelect;

/** Stores a new top-up, due at once. A taken `externalId` violates `topups_external_id`. */
export async function insertTopup(tx: Database, topup: Topup): Promise<void> {
  await tx.insert(topups).values({ ...toRow(topup), tries: 0, dueAt: topup.createdAt });
  await wakeFiat(tx);
}

/** The top-up of that id, of this partner where one is named: a foreign id finds nothing. */
export async function findTopup(db: Database, id: string, partnerId?: string): Promise<Topup | null> {
  const [row] = await db.select().from(topups).where(ownedBy(id, partnerId));
  return row ? toTopup(row) : null;
}

/** As {@link findTopup}, and locks the row until the transaction ends. */
export async function lockTopup(tx: Database, id: string, partnerId?: string): Promise<Topup | null> {
  const [row] = await tx.select().from(topups).where(ownedBy(id, partnerId)).for("update");
  return row ? toTopup(row) : null;
}

/** The partner's order with its own reference. */
export async function findTopupByExternalId(db: Database, partnerId: string, externalId: string): Promise<Topup | null> {
  const [row] = await db
    .select()
    .from(topups)
    .where(and(eq(topups.partnerId, partnerId), eq(topups.externalId, externalId)));
  return row ? toTopup(row) : null;
}

/** Writes what `advanceTopup` made of a locked top-up; whatever lease there was has done its service, and nothing is due any more. */
export async function saveTopup(tx: Database, topup: Topup): Promise<void> {
  const { id, ...changed } = toRow(topup);
  await tx
    .update(topups)
    .set({ ...changed, ...UNTOUCHED, dueAt: null })
    .where(eq(topups.id, id));
}

/** Records that an expired, locked top-up was paid after all: from now on it is an operator's case. */
export async function markPaidLate(
  tx: Database,
  id: string,
  { reference, reason }: { reference: string | null; reason: string },
): Promise<void> {
  await tx.execute(sql`
    update topups set late_paid_at = business_now(), provider_reference = coalesce(${reference}, provider_reference), ambiguous_since = business_now(),
      waiting_reason = ${reason}, updated_at = business_now()
    where id = ${id} and expired_at is not null and late_paid_at is null`);
}

/** An operator has settled what was paid late. */
export async function settlePaidLate(tx: Database, id: string): Promise<void> {
  await tx.execute(sql`update topups set ambiguous_since = null, waiting_reason = null where id = ${id} and late_paid_at is not null`);
}

/** The provider's instructions for the payer, once there are any. */
export async function savePaymentAdvice(db: Database, id: string, instructions: string): Promise<void> {
  await db
    .update(topups)
    .set({ paymentInstructions: instructions })
    .where(and(eq(topups.id, id), eq(topups.step, "collecting")));
}

function ownedBy(id: string, partnerId: string | undefined) {
  return and(eq(topups.id, id), partnerId === undefined ? undefined : eq(topups.partnerId, partnerId));
}

function toRow(topup: Topup) {
  const { source, payment, ...rest } = topup;
  return {
    ...rest,
    status: topupStatus(topup),
    sourceType: source.type,
    sourceAccount: source.account,
    paymentReference: payment.reference,
    paymentInstructions: payment.instructions,
  };
}

export function toTopup(row: Row): Topup {
  const {
    sourceType: type,
    sourceAccount: account,
    paymentReference: reference,
    paymentInstructions: instructions,
    ...rest
  } = orderOf(row);
  return { ...rest, source: { type, account }, payment: { reference, instructions } };
}
