import { listTransfers } from "#db/queries/transfers/transfers.ts";
import { placeText } from "#domain/above-cap.ts";
import type { JournalState, SignedEntry } from "#domain/journal.ts";
import { isMoving, ownersOf } from "#domain/journal-content.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import { type CapPeriod, capSentence, coversPeriod, type ReachedCap, reachedCap } from "#domain/signer-caps.ts";
import type { Desk } from "./desk.ts";
import { contentFault } from "./same-content.ts";

type Content =
  | Pick<SignedEntry, "chain" | "wallet" | "nonce" | "kind" | "owner" | "recipient" | "token" | "amountBase" | "members">
  | LapsingContent;
/** A payment that lapses. `id` null: it is to be signed. */
type LapsingContent = Pick<LapsingEntry, "chain" | "wallet" | "kind" | "owner" | "recipient" | "token" | "amountBase" | "members"> & {
  id: string | null;
};
/** What is to be signed or admitted. */
export type Counted = { transferId: string; entry: Content };
/** By the transfer's id, above which cap two people let it go. */
type Allowed = ReadonlyMap<string, CapPeriod>;
type Payments = readonly (Counted | null)[];

/**
 * Why these payments are above the signer's own caps, by their places; null where one is not, or where two admins have signed that it goes above.
 * Each counts for those after it. What was signed counts from the journal, and what waits to be admitted from memory. What the journal has
 * under the same nonce counts once: a higher fee pays no more. What is made again under another nonce counts again, and needs signatures of
 * its own: the caps hold whatever nodes prove about the first.
 */
export async function capFaults(desk: Desk, state: JournalState, payments: Payments): Promise<(string | null)[]> {
  const above = reachedCaps(desk, state, payments, new Map()).flatMap((cap, index) => {
    const payment = payments[index];
    return cap && payment ? [{ ...payment, cap }] : [];
  });
  if (above.length === 0) return payments.map(() => null);
  const unsigned = await findUnsigned(desk, state, above);
  const allowed = new Map(above.flatMap(({ transferId: id, cap }) => (unsigned.get(id) === null ? [[id, cap.period]] : [])));
  return reachedCaps(desk, state, payments, allowed).map((cap, index) => {
    const missing = unsigned.get(payments[index]?.transferId ?? "") ?? "";
    return cap && `${capSentence(cap)} ${missing}`.trim();
  });
}

function reachedCaps({ caps, ctx, fresh }: Desk, state: JournalState, payments: Payments, allowed: Allowed): (ReachedCap | null)[] {
  const now = ctx.clock.now();
  const wanted = new Set(payments.flatMap((one) => (one === null ? [] : ownersOf(one.entry))));
  const pending: Pick<Content, "chain" | "token" | "amountBase">[] = [...fresh.values()].filter(
    ({ until, owners, isAdmitted }) => !isAdmitted && until > now.getTime() && !owners.some((owner) => wanted.has(owner)),
  );
  return payments.map((payment) => {
    if (payment === null || caps.length === 0) return null;
    const { entry, transferId } = payment;
    if (!isMoving(entry) || entry.owner.startsWith("sweep:") || isPaidHere(state, entry)) return null;
    const cap = reachedCap(caps, entry, (since) => state.amounts(since), pending, now);
    const isReached = cap !== null && !coversPeriod(allowed.get(transferId), cap.period);
    if (!isReached) pending.push(entry);
    return isReached ? cap : null;
  });
}

/** Whether the journal has its owner under this nonce or by this attempt, so that it was counted. */
function isPaidHere(state: JournalState, entry: Content): boolean {
  if ("id" in entry) return entry.id !== null && state.lapsing.holds({ chain: entry.chain, id: entry.id });
  const { owner, wallet, nonce, chain } = entry;
  const paid = state.paidUnder(owner);
  return paid?.chain === chain && paid.wallet === wallet.toLowerCase() && paid.nonce === nonce;
}

/** By the transfer's id, why it does not go above the cap; null: two people have signed what is to be signed here. */
async function findUnsigned({ ctx: { db }, findAboveCap }: Desk, state: JournalState, above: readonly (Counted & { cap: ReachedCap })[]) {
  const transfers = await listTransfers(
    db,
    above.map(({ transferId }) => transferId),
  );
  const asked = above.flatMap(({ transferId, entry, cap: { period } }) => {
    const transfer = transfers.find(({ id }) => id === transferId);
    if (transfer === undefined || transfer.chain !== entry.chain || contentFault(entry, transfer) !== null) return [];
    const paid = state.paidUnder(entry.owner);
    return [{ transfer, period, replaces: paid && placeText(paid) }];
  });
  return asked.length === 0 ? new Map<string, string | null>() : await findAboveCap(db, asked);
}
