import type { Database } from "#db/client.ts";
import { endHolds } from "#db/queries/holds/payment-holds.ts";
import { findLapsingAttempt } from "#db/queries/transfers/lapsing-attempts.ts";
import { listMembers, listMemberships } from "#db/queries/transfers/pack-members.ts";
import { lockLinesOf } from "#db/queries/transfers/suspense-lines.ts";
import { findOwnAttempts } from "#db/queries/transfers/transactions.ts";
import { insertTransferProof } from "#db/queries/transfers/transfer-proofs.ts";
import { saveTransfer } from "#db/queries/transfers/transfers.ts";
import { lockUnknownPayments, recoverLoss } from "#db/queries/transfers/treasury-losses.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { Refusal } from "#domain/refusal.ts";
import { COIN_PLACES, type SuspenseLine } from "#domain/suspense-line.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import { bookNetworkFees } from "#server/services/ledger/book-network-fee.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { closeLines } from "./close-lines.ts";
import type { FoundPayment } from "./find-payment.ts";

/** `resolve_executed`: for one under review. `restore`: for one that was never sent according to the database. */
type Proven = { payment: FoundPayment; as: "resolve_executed" | "restore"; now: Date; onFinal: OnFinal };

/**
 * Ends a locked transfer as executed by a payment that was found, and its owner with it, in the caller's transaction. One payment proves
 * one transfer, for ever: if a transaction contains equal payments, each proves one. If one of our wallets made it, its fee is booked too.
 * If it was booked as a loss, that is reversed.
 *
 * @throws Refusal `invalid_state` when the payment is another transfer's, or has proved one
 */
export async function bookProof(tx: Database, transfer: Transfer, { payment, as, now, onFinal }: Proven): Promise<Transfer> {
  const { chain, receipt, blockAt, places } = payment;
  const block = { blockNumber: receipt.blockHeight, blockHash: receipt.blockHash };
  const after = advanceTransfer(transfer, { type: as, txHash: receipt.hash, ...block }, now);
  const owners = await findOwnAttempts(tx, [receipt.hash]);
  const [member] = await listMemberships(tx, [transfer.id]);
  const lapsing = await findLapsingAttempt(tx, receipt.hash);
  if (
    (lapsing !== null && lapsing.transferId !== transfer.id) ||
    owners.some(({ transferId }) => transferId !== transfer.id && transferId !== member?.packId)
  )
    throw new Refusal("invalid_state", { detail: "That transaction made another transfer's payment." });
  await lockUnknownPayments(tx, chain.chain);
  const proof = { transferId: transfer.id, chain: chain.chain, hash: receipt.hash, ...block, blockAt, provenAt: now };
  let place: number | null | undefined;
  const taken = new Set(member === undefined ? [] : (await listMembers(tx, [member.packId])).map(({ logIndex }) => logIndex));
  const free = places.filter((each) => each === null || !taken.has(each));
  for (const logIndex of free) if (place === undefined && (await insertTransferProof(tx, { ...proof, logIndex }))) place = logIndex;
  if (place === undefined) throw new Refusal("invalid_state", { detail: "That payment already proves another transfer." });
  await recoverLoss(tx, chain.chain, receipt.hash.startsWith("0x") ? receipt.hash.toLowerCase() : receipt.hash, now);
  await closeProved(tx, { chain: chain.chain, hash: receipt.hash.toLowerCase(), place, transfer }, now);
  await saveTransfer(tx, after, now);
  await endHolds(tx, after, now);
  const wallets = await listWalletAddresses(tx, chain.chain);
  if (wallets.some((wallet) => wallet.toLowerCase() === receipt.sender.toLowerCase()))
    await bookNetworkFees(tx, chain, [{ transferId: transfer.id, receipt }], now);
  await onFinal(tx, [after]);
  return after;
}

type Proved = { chain: string; hash: string; place: number | null; transfer: Transfer };

/** Takes what the payment moved, and what it cost, out of suspense: the transfer's own entries count it. */
async function closeProved(tx: Database, { chain, hash, place, transfer }: Proved, now: Date): Promise<void> {
  const isOfPayment = (line: SuspenseLine) => {
    if (line.place < 0) return line.place === COIN_PLACES.fee || place === null;
    if (place !== null) return line.place === place;
    const isItsToken = line.token === transfer.tokenAddress?.toLowerCase();
    return isItsToken && line.recipient === transfer.recipient.toLowerCase() && line.amountBase === transfer.amountBase;
  };
  const lines = (await lockLinesOf(tx, chain, [hash])).filter(isOfPayment);
  await closeLines(tx, lines, { resolution: "payment", proposalId: null, now });
}
