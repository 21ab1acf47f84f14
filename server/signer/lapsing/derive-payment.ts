import { findMemberOfTopup } from "#db/queries/members/members.ts";
import { listTransfers } from "#db/queries/transfers/transfers.ts";
import { type JournalState, journalOwner } from "#domain/journal.ts";
import { canonicalOf, type LapsingChain, type LapsingIntent } from "#domain/lapsing-chain.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import type { LapsingSignAnswer } from "#domain/lapsing-signer.ts";
import { senderOf, type Transfer } from "#domain/transfer.ts";
import { readReference } from "#server/services/transfers/read-reference.ts";
import type { Desk } from "#server/signer/desk.ts";
import { ruleFaults } from "#server/signer/keep-rules.ts";

export type Refused = Extract<LapsingSignAnswer, { outcome: "refused" }>;
/** What a payment comes to by the signer's own derivation. `owner`, `members`: as in the journal. `owedSince`: the oldest of them. */
export type Derived = { owner: string; intent: LapsingIntent; owedSince: Date; members?: LapsingEntry["members"] };
export type ReadState = () => Promise<JournalState>;

/** What this chain pays. Safes and contract calls are EVM's. */
const PAID: ReadonlySet<Transfer["purpose"]> = new Set(["settlement", "topup", "treasury_withdrawal"]);

/**
 * Derives payments again from what they are owed for, as for any other chain: nothing that the caller says of them counts. In their order; one
 * that is not owed, and none is derived. `wallet`: the one that is to pay them, whose key is here.
 */
export async function derivePayments(
  desk: Desk,
  chain: LapsingChain,
  readState: ReadState,
  transferIds: readonly string[],
  wallet: string,
): Promise<Derived[] | Refused> {
  const { db } = desk.ctx;
  const found = new Map((await listTransfers(db, transferIds)).map((transfer) => [transfer.id, transfer]));
  const payments: Transfer[] = [];
  for (const id of transferIds) {
    const transfer = found.get(id);
    if (transfer === undefined || transfer.chain !== chain.chain) return unowed("There is no such payment.");
    if (transfer.call !== null || !PAID.has(transfer.purpose)) return unowed("This chain makes plain payments only.");
    payments.push(transfer);
  }
  const unowedHere = await desk.findUnowed(db, payments, chain);
  const ruled = payments.map((transfer) => {
    const { recipient, tokenAddress: token, amountBase } = transfer;
    return { chain: chain.chain, wallet, nonce: null, owner: journalOwner(transfer), recipient, token, amountBase, payments: [transfer] };
  });
  for (const transfer of payments) {
    const sender = senderOf(transfer);
    const isOther = sender !== undefined && canonicalOf(chain, sender) !== canonicalOf(chain, wallet);
    const fault = unowedHere.get(transfer.id) ?? (isOther ? `Only ${sender} may send it.` : null);
    if (fault !== null) return unowed(fault);
  }
  const unsigned = await ruleFaults(desk, readState, ruled);
  const derived: Derived[] = [];
  for (const [index, transfer] of payments.entries()) {
    const barred = (await destinationFault(desk, chain, transfer)) ?? unsigned[index] ?? null;
    if (barred !== null) return { outcome: "refused", kind: "unsigned", reason: barred };
    const { recipient, tokenAddress: token, amountBase } = transfer;
    const intent = {
      sender: canonicalOf(chain, wallet),
      recipient: canonicalOf(chain, recipient),
      token: token === null ? null : canonicalOf(chain, token),
      amountBase,
      reference: await readReference(db, chain, transfer),
    };
    derived.push({ owner: journalOwner(transfer), intent, owedSince: transfer.createdAt });
  }
  return derived;
}

/** Why crypto does not go to this address, though its order says so: rows name addresses, and some log-ins write rows. */
async function destinationFault(desk: Desk, chain: LapsingChain, { purpose, recipient, ownerId }: Transfer): Promise<string | null> {
  const isSame = (address: string) => canonicalOf(chain, address) === canonicalOf(chain, recipient);
  if (purpose === "treasury_withdrawal") {
    const isNamed = (chain.treasuryDestinations ?? []).some(isSame);
    return isNamed ? null : `The signer's settings for ${chain.name} do not name ${recipient} as a destination of the treasury.`;
  }
  if (purpose !== "topup") return null;
  const member = await findMemberOfTopup(desk.ctx.db, ownerId);
  // Without its top-up the payment is not owed, and its derivation says so.
  const isTheirs = member === null || (member.safeStatus === null && isSame(member.walletAddress ?? ""));
  return isTheirs ? null : `${recipient} is not the wallet of the top-up's member.`;
}

export const unowed = (reason: string): Refused => ({ outcome: "refused", kind: "unowed", reason });
