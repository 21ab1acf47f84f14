import { findMemberOfTopup } from "#db/queries/members/members.ts";
import { listTransfers } from "#db/queries/transfers/transfers.ts";
import { type JournalState, journalOwner } from "#domain/journal.ts";
import { canonicalOf, type LapsingChain, type LapsingIntent } from "#domain/lapsing-chain.ts";
import type { LapsingSignAnswer } from "#domain/lapsing-signer.ts";
import { senderOf, type Transfer } from "#domain/transfer.ts";
import { readReference } from "#server/services/transfers/read-reference.ts";
import type { Desk } from "#server/signer/desk.ts";
import { ruleFaults } from "#server/signer/keep-rules.ts";

type Refused = Extract<LapsingSignAnswer, { outcome: "refused" }>;
/** What a payment comes to by the signer's own derivation. `owner`: as in the journal. */
export type Derived = { owner: string; intent: LapsingIntent };

/** What this chain pays. Safes and contract calls are EVM's. */
const PAID: ReadonlySet<Transfer["purpose"]> = new Set(["settlement", "topup", "treasury_withdrawal"]);

/**
 * Derives a payment again from what it is owed for, as for any other chain: nothing that the caller says of it counts. `wallet`: the one that
 * is to pay it, whose key is here.
 */
export async function derivePayment(
  desk: Desk,
  chain: LapsingChain,
  readState: () => Promise<JournalState>,
  { transferId, wallet }: { transferId: string; wallet: string },
): Promise<Derived | Refused> {
  const { db } = desk.ctx;
  const [transfer] = await listTransfers(db, [transferId]);
  if (transfer === undefined || transfer.chain !== chain.chain) return unowed("There is no such payment.");
  if (transfer.call !== null || !PAID.has(transfer.purpose)) return unowed("This chain makes plain payments only.");
  const sender = senderOf(transfer);
  const isOther = sender !== undefined && canonicalOf(chain, sender) !== canonicalOf(chain, wallet);
  const fault = (await desk.findUnowed(db, [transfer], chain)).get(transferId) ?? (isOther ? `Only ${sender} may send it.` : null);
  if (fault !== null) return unowed(fault);
  const { recipient, tokenAddress: token, amountBase } = transfer;
  const owner = journalOwner(transfer);
  const [unsigned] = await ruleFaults(desk, readState, [
    { chain: chain.chain, wallet, nonce: null, owner, recipient, token, amountBase, payments: [transfer] },
  ]);
  const barred = (await destinationFault(desk, chain, transfer)) ?? unsigned ?? null;
  if (barred !== null) return { outcome: "refused", kind: "unsigned", reason: barred };
  const intent = {
    sender: canonicalOf(chain, wallet),
    recipient: canonicalOf(chain, recipient),
    token: token === null ? null : canonicalOf(chain, token),
    amountBase,
    reference: await readReference(db, chain, transfer),
  };
  return { owner, intent };
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

const unowed = (reason: string): Refused => ({ outcome: "refused", kind: "unowed", reason });
