import type { JournalState, SignedEntry } from "#domain/journal.ts";
import { capFault } from "#domain/signer-caps.ts";
import type { Desk } from "./desk.ts";

type Content = Pick<SignedEntry, "chain" | "kind" | "owner" | "token" | "amountBase">;

/**
 * Why these payments are above the signer's own caps, by their places; null where one is not. Each counts for those after it. What was signed
 * counts from the journal, and what waits to be admitted from memory. Nothing that the journal has for the same owner counts again: a higher fee
 * pays no more.
 */
export function capFaults({ caps, ctx, fresh }: Desk, state: JournalState, payments: readonly (Content | null)[]): (string | null)[] {
  const now = ctx.clock.now();
  const owners = new Set(payments.map((one) => one?.owner));
  const pending: Pick<Content, "chain" | "token" | "amountBase">[] = [...fresh.values()].filter(
    ({ until, owner, isAdmitted }) => !isAdmitted && until > now.getTime() && !owners.has(owner),
  );
  return payments.map((payment) => {
    if (payment === null || payment.kind !== "payment" || payment.owner.startsWith("sweep:")) return null;
    if (caps.length === 0 || state.paidUnder(payment.owner) !== null) return null;
    const fault = capFault(caps, payment, (since) => state.amounts(since), pending, now);
    if (fault === null) pending.push(payment);
    return fault;
  });
}
