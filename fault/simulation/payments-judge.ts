import type { HaltCause } from "#domain/halt-scope.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { SimulatedChain } from "./chain.ts";
import { paidIn } from "./contents.ts";
import { isOurs, REFUSES } from "./nodes.ts";
import type { PaymentWorld } from "./payments-world.ts";
import { tables } from "./tables/rows.ts";

/** What made a payment on the chain. */
type Paid = { hash: string; nonce: number; blockHash: string };

/** Whether somebody else's transaction has spent a nonce of the wallet, or may yet: then people have to look. */
export const isKeyUsed = ({ net: { chain }, foreign }: PaymentWorld) =>
  [...foreign].some((hash) => chain.everMined.has(hash) || chain.waiting.has(hash));

const isHaltedFor = (cause: HaltCause) => [...tables().halts.rows.values()].some(({ halt }) => halt.cause === cause);
const isHalted = () => tables().halts.rows.size > 0;
/** The wallet is halted: reverted bytes have paid after all, or bytes that were reported as paid were mined again without paying. */
export const isHaltedByFork = () => isHaltedFor("paid_in_vain") || isHaltedFor("unpaid_after_reorg");

/**
 * The model: it knows what is owed, and what is on the chain. Each payment is made exactly once and known as executed under that very transaction,
 * or never paid and known as failed; anyone who owes is notified once; nothing else left the wallet, and the wallet is halted only where somebody
 * else has used its key. One thing no rule of ours can keep: that others mine bytes again which had been reverted and final before a fork
 * beyond the confirmations took that back. Then it must have been noticed: the wallet is halted, and the payment's history names the bytes.
 */
export function judgePayments(world: PaymentWorld): void {
  const { violations, owed, net } = world;
  const { transfers, announced, attempts } = tables();
  const say = (line: string) => void violations.push(line);
  const mined = net.chain.blocks.flatMap((block) =>
    block.signed.filter(({ sender }) => isOurs(net, sender)).map((one) => ({ one, block, failed: block.failed.has(one.hash) })),
  );
  for (const payment of owed.values()) {
    const transfer = transfers.rows.get(payment.id)?.transfer;
    if (transfer === undefined) {
      say(`${payment.id} is lost`);
      continue;
    }
    const paid = mined.filter(({ one, block, failed }) => !failed && paidIn(one, block).includes(payment.recipient));
    judgePayment(
      world,
      transfer,
      paid.map(({ one: { hash, nonce }, block }) => ({ hash, nonce, blockHash: block.hash })),
    );
    const words = [...announced.rows.values()].filter(({ transferId }) => transferId === payment.id);
    const isFinal = transfer.state === "executed" || transfer.state === "failed";
    if (words.length !== (isFinal ? 1 : 0) || words.some(({ state }) => state !== transfer.state))
      say(`${payment.id} is ${transfer.state}, its owner was notified of: ${words.map(({ state }) => state)}`);
  }
  for (const { one } of mined)
    if (!attempts.rows.has(one.hash) && !world.foreign.has(one.hash)) say(`${one.hash} is mined, and nobody knows it`);
  judgeFees(world);
  judgeHalts(world);
  judgeSequence(world);
}

/** Of every nonce that came to its end, what is booked is what the chain took: of the attempt that is on it, as it is on it now, and of no other. */
function judgeFees({ violations, net: { chain } }: PaymentWorld): void {
  const { transfers, transactions, attempts, fees, places } = tables();
  const booked = Map.groupBy(fees.rows.values(), ({ fee }) => fee.hash);
  for (const { id: hash, attempt } of attempts.rows.values()) {
    const place = transactions.rows.get(attempt.transactionId);
    const { transfer, orphanedSince } = transfers.rows.get(place?.transferId ?? "") ?? {};
    const isOver = transfer?.state === "failed" || (transfer?.state === "executed" && orphanedSince === null);
    if (places.rows.has(attempt.transactionId) || !(isOver || place?.isSuperseded)) continue;
    const cost = chain.receiptOf(hash, chain.height)?.feeBase ?? 0n;
    const sum = (booked.get(hash) ?? []).reduce((total, { fee }) => total + fee.feeBase, 0n);
    if (cost !== sum) violations.push(`${hash} of ${transfer?.id} cost ${cost}, and ${sum} is booked`);
  }
}

function judgePayment(world: PaymentWorld, transfer: Transfer, paid: readonly Paid[]): void {
  const { violations } = world;
  const { id, state } = transfer;
  const say = (line: string) => void violations.push(`${id} ${line}`);
  const inVain = paid.filter(({ hash }) => wasInVain(world, transfer, hash));
  for (const one of inVain) if (!isNoticed(transfer, one)) say(`was paid by ${one.hash}, which was superseded, and nobody noticed`);
  const once = paid.filter((one) => !inVain.includes(one));
  if (once.length > 1) say(`was paid ${once.length} times: ${once.map(({ hash, nonce }) => `${hash} under nonce ${nonce}`).join(", ")}`);
  if (state === "executed") {
    const [one] = once;
    if (one && !(isReportedPaid(transfer, one.hash) && transfer.blockHash === one.blockHash) && !isOrphanedForGood(world, transfer))
      say(`is executed as ${transfer.txHash} in ${transfer.blockHash}, and the chain has ${one.hash} in ${one.blockHash}`);
    if (paid.length === 0 && !isOrphanedForGood(world, transfer)) say("is executed, and was never paid");
  } else if (state === "failed") {
    if (transfer.failureReason === REFUSES && !world.net.refused.has(transfer.recipient))
      say("has failed, and only a node's mistake refused it");
    if (once.length > 0) say(`has failed, and was paid by ${once.map(({ hash }) => hash).join(" ")}`);
  } else if (!isKeyUsed(world) && inVain.length === 0 && !(state === "queued" && isHaltedByFork()))
    say(`is ${state}: ${transfer.reviewReason ?? transfer.waitingReason}`);
}

/** Bytes under a nonce that was spent without a payment, which a fork beyond the confirmations has taken back: made again under another since, or reported as failed. */
function wasInVain({ net }: PaymentWorld, transfer: Transfer, hash: string): boolean {
  if (isReportedPaid(transfer, hash)) return false;
  const { attempts, transactions } = tables();
  const { isSuperseded } = transactions.rows.get(attempts.rows.get(hash)?.attempt.transactionId ?? "") ?? {};
  return (isSuperseded === true || transfer.state === "failed") && hasLostRevert(net.chain, hash);
}

/** Whether a fork beyond the confirmations has taken back a revert under the same nonce. */
const hasLostRevert = ({ takenBackReverts }: SimulatedChain, hash: string) =>
  [hash, ...othersOf(hash)].some((one) => takenBackReverts.has(one));

/** What it was paid by was superseded: what else was signed for it goes no further. */
export function isPaidInVain(world: PaymentWorld, transfer: Transfer): boolean {
  const { chain } = world.net;
  if (chain.placeOf(transfer.txHash ?? "", chain.height) !== null) return false;
  return chain.blocks.some((block) =>
    block.signed.some(
      (one) => !block.failed.has(one.hash) && paidIn(one, block).includes(transfer.recipient) && wasInVain(world, transfer, one.hash),
    ),
  );
}

const isReportedPaid = ({ state, txHash }: Transfer, hash: string) => state === "executed" && txHash === hash;

const isInHistory = ({ ownerId }: Transfer, action: string, hash: string | null) =>
  [...tables().story.rows.values()].some((row) => row.ownerId === ownerId && row.action === action && row.txHash === hash);

/** A wallet that was halted already keeps its first halt. */
const isNoticed = (transfer: Transfer, { hash }: Paid) =>
  (isHaltedByFork() || isHaltedFor("foreign_nonce")) && isInHistory(transfer, "transfer.forfeited", hash);

/**
 * A deep fork took its block back, its history says so, and it cannot be mined again as it was. An attempt under its
 * nonce reverted or cancelled it, and the wallet is halted; or somebody else has used that nonce or one below it. All that is for people.
 */
export function isOrphanedForGood({ net: { chain }, foreign }: PaymentWorld, transfer: Transfer): boolean {
  const { id, txHash: hash } = transfer;
  if (hash === null || !chain.takenBack.has(hash) || (tables().transfers.rows.get(id)?.orphanedSince ?? null) === null) return false;
  const isUnpaid = [hash, ...othersOf(hash)].some((one) => isMinedInVain(chain, one));
  const isBehindForeign = [...foreign].some((one) => {
    const isMined = chain.placeOf(one, chain.height) !== null;
    return isMined ? placeOf(chain, one) === placeOf(chain, hash) : chain.takenBack.has(one);
  });
  return (
    ((isUnpaid && isHalted()) || (isBehindForeign && isHaltedFor("foreign_nonce"))) && isInHistory(transfer, "transfer.vanished", hash)
  );
}

/** The wallet and the nonce of what was signed. */
function placeOf({ signed }: SimulatedChain, hash: string): string {
  const one = [...signed.values()].find((each) => each.hash === hash);
  return `${one?.sender}:${one?.nonce}`;
}

/** In a block, where it pays nothing: it reverted there, or it is a cancellation. */
function isMinedInVain(chain: SimulatedChain, hash: string): boolean {
  const place = chain.placeOf(hash, chain.height);
  return place !== null && (place.failed.has(hash) || tables().attempts.rows.get(hash)?.attempt.kind === "cancellation");
}

/** The other attempts under its nonce. */
function othersOf(hash: string): string[] {
  const { rows } = tables().attempts;
  const own = rows.get(hash)?.attempt.transactionId;
  return [...rows.values()].filter(({ id, attempt }) => id !== hash && attempt.transactionId === own).map(({ id }) => id);
}

function judgeHalts(world: PaymentWorld): void {
  const { chain } = world.net;
  for (const { halt } of tables().halts.rows.values()) {
    const hash = String(halt.evidence.hash);
    const isForPaid = halt.cause === "paid_in_vain" && hasLostRevert(chain, hash) && chain.everPassed.has(hash);
    // A second deep reorg may have dropped the revert since: the halt was true when it was made, and people lift it.
    const wasUnpaid = isMinedInVain(chain, hash) || chain.takenBackReverts.has(hash);
    const isForUnpaid = halt.cause === "unpaid_after_reorg" && wasUnpaid;
    const isForForeign = halt.cause === "foreign_nonce" && isKeyUsed(world);
    if (!isForPaid && !isForUnpaid && !isForForeign)
      world.violations.push(`${halt.scope.kind} is halted, and nothing was wrong (${halt.cause}): ${halt.detail}`);
  }
}

/** Of each wallet. */
function judgeSequence(world: PaymentWorld): void {
  if (isKeyUsed(world)) return;
  const { transfers, transactions, wallets } = tables();
  const fillers = [...transfers.rows.values()].filter(({ transfer }) => transfer.purpose === "filler");
  const filled = ({ ownerId }: Transfer) => {
    const [id = "", nonce] = ownerId.split(":");
    return `${wallets.rows.get(id)?.wallet.address}:${nonce}`;
  };
  // Somebody else's transaction waited under it, and the nodes have dropped it since.
  const wasForeign = (transfer: Transfer) => [...world.foreign].some((hash) => placeOf(world.net.chain, hash) === filled(transfer));
  for (const { transfer } of fillers) if (!wasForeign(transfer)) world.violations.push(`a nonce was burnt: ${transfer.ownerId}`);
  for (const [id, own] of Map.groupBy(transactions.rows.values(), ({ walletId }) => walletId)) {
    const nonces = own.map(({ nonce }) => nonce).sort((one, other) => one - other);
    if (nonces.some((nonce, index) => nonce !== index)) world.violations.push(`the sequence of ${id} has holes: ${nonces}`);
  }
}
