import {
  type HeldPayment,
  type KeptVerdict,
  listHoldsOf,
  listOpenHolds,
  listVerdictsOf,
  type PaymentHold,
} from "#db/queries/holds/payment-holds.ts";
import type { Uses } from "#server/context.ts";

export type { HeldPayment, KeptVerdict, PaymentHold } from "#db/queries/holds/payment-holds.ts";

/** Nobody reads more of them at once. */
const SHOWN = 200;

/** Every payment that waits for a decision, the longest first. */
export async function readHeldPayments(ctx: Uses<"db">): Promise<{ held: HeldPayment[]; total: number }> {
  return await listOpenHolds(ctx.db, SHOWN);
}

/** Every check of one payment, and every decision of people about it. */
export async function readChecks(ctx: Uses<"db">, ownerId: string): Promise<{ verdicts: KeptVerdict[]; holds: PaymentHold[] }> {
  const [verdicts, holds] = await Promise.all([listVerdictsOf(ctx.db, ownerId), listHoldsOf(ctx.db, [ownerId])]);
  return { verdicts, holds };
}
