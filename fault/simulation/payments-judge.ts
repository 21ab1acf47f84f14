import type { Transfer } from "#domain/transfer.ts";
import { recipientOf } from "./chain.ts";
import { WALLET } from "./nodes.ts";
import type { PaymentWorld } from "./payments-world.ts";
import { tables } from "./tables/rows.ts";

/**
 * The model: it knows debts, and what stands on the chain. Each debt is paid exactly once and known as executed under that very transaction,
 * or never paid and known as failed; whoever owes was told once; nothing else left the wallet, and the wallet stands only where somebody
 * else has used its key.
 */
export function judgePayments(world: PaymentWorld): void {
  const { violations, owed, net, isKeyShared } = world;
  const { transfers, told, halts, attempts, transactions } = tables();
  const say = (line: string) => void violations.push(line);
  const mined = net.chain.blocks.flatMap((block) =>
    block.signed.filter(({ sender }) => sender === WALLET).map((one) => ({ one, block, failed: block.failed.has(one.hash) })),
  );
  for (const debt of owed.values()) {
    const transfer = transfers.rows.get(debt.id)?.transfer;
    if (transfer === undefined) {
      say(`${debt.id} is lost`);
      continue;
    }
    const paid = mined.filter(({ one, failed }) => !failed && recipientOf(one) === debt.recipient);
    // A reverted payment that a fork beyond the confirmations brings back may come in a block where it no longer reverts: no rule holds against that.
    const isOverruled =
      world.deepForks > 0 && [...transactions.rows.values()].some(({ transferId, isSuperseded }) => isSuperseded && transferId === debt.id);
    if (paid.length > 1 && !isOverruled)
      say(`${debt.id} was paid ${paid.length} times: ${paid.map(({ one }) => `${one.hash} under nonce ${one.nonce}`).join(", ")}`);
    judgeEnd(
      world,
      transfer,
      paid.map(({ one, block }) => `${one.hash} in ${block.hash}`),
    );
    const words = [...told.rows.values()].filter(({ transferId }) => transferId === debt.id);
    const isFinal = transfer.state === "executed" || transfer.state === "failed";
    if (words.length !== (isFinal ? 1 : 0) || words.some(({ state }) => state !== transfer.state))
      say(`${debt.id} is ${transfer.state}, its owner was told: ${words.map(({ state }) => state)}`);
  }
  for (const { one } of mined) if (!attempts.rows.has(one.hash) && !isKeyShared) say(`${one.hash} is mined, and nobody knows it`);
  if (!isKeyShared)
    for (const { halt } of halts.rows.values()) say(`${halt.lane.kind} stands, and nobody else has its key: ${halt.detail}`);
  if (isKeyShared || world.deepForks > 0) return;
  const fillers = [...transfers.rows.values()].filter(({ transfer }) => transfer.purpose === "filler");
  for (const { transfer } of fillers) say(`a nonce was burnt: ${transfer.ownerId}`);
  const nonces = [...transactions.rows.values()].map(({ nonce }) => nonce).sort((one, other) => one - other);
  if (nonces.some((nonce, index) => nonce !== index)) say(`the sequence has holes: ${nonces}`);
}

function judgeEnd({ violations, isKeyShared, deepForks }: PaymentWorld, transfer: Transfer, paid: readonly string[]): void {
  const { id, state, txHash, blockHash } = transfer;
  if (state === "executed") {
    if (paid.length === 1 && paid[0] !== `${txHash} in ${blockHash}`)
      violations.push(`${id} is executed as ${txHash} in ${blockHash}, and the chain has ${paid[0]}`);
    // What a deep fork took back may revert as it is mined anew, or have lost its nonce to somebody else; what only waits is not yet done.
    if (paid.length === 0 && deepForks === 0) violations.push(`${id} is executed, and was never paid`);
  } else if (state === "failed") {
    // What a fork beyond the confirmations takes back may be mined anew by others, and then not revert.
    if (paid.length > 0 && deepForks === 0) violations.push(`${id} has failed, and was paid by ${paid.join(" ")}`);
  } else if (!isKeyShared) violations.push(`${id} is ${state}: ${transfer.reviewReason ?? transfer.waitingReason}`);
}
