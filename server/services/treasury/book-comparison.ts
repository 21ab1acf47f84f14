import type { By } from "#domain/access.ts";
import type { PaidTransfer } from "#domain/foreign-transaction.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { findPayment } from "./find-payment.ts";
import { restorePayment } from "./restore-payment.ts";

/** The result of one finding. `proposed`: a second person has to confirm it. `refused`: why it was not even proposed. */
export type Booked = { transferId: string; hash: string; outcome: "booked" | "proposed" | "refused"; detail: string | null };

const REASON = "The chain has this payment and the database had lost it: found by comparing the treasury with the chain.";

/**
 * Proposes for each finding to book its payment as made; in the sandbox this happens at once. Every node of the chain is asked again for each.
 * A refusal of one does not stop the others. Of equal payments, pass only those that a person has chosen.
 */
export async function bookComparison(
  ctx: Uses<"db" | "evm" | "mode">,
  command: { by: By; paid: readonly PaidTransfer[] },
): Promise<Booked[]> {
  const results: Booked[] = [];
  for (const { payment, transaction } of command.paid) {
    const about = { transferId: payment.id, hash: transaction.hash };
    try {
      const found = await findPayment(ctx, payment, transaction.hash, { isOurs: true });
      const { result, proposal } = await restorePayment(ctx, { by: command.by, transferId: payment.id, payment: found, reason: REASON });
      results.push({ ...about, outcome: result === null ? "proposed" : "booked", detail: result === null ? proposal.id : null });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      results.push({ ...about, outcome: "refused", detail: error.message });
    }
  }
  return results;
}
