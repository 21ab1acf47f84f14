import { listOpenLines } from "#db/queries/transfers/suspense-lines.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import type { ForeignTransaction } from "#domain/foreign-transaction.ts";
import { Refusal } from "#domain/refusal.ts";
import { isInside, type SuspenseLine } from "#domain/suspense-line.ts";
import { outflowOf } from "#domain/treasury-loss.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, Unreachable } from "#server/ports.ts";
import { isFinal } from "#server/services/transfers/is-final.ts";
import { asking } from "./find-payment.ts";

const MOST_LINES = 200;

/** A final transaction that took something out of our wallets: what it took, in the wire names of a proposal, and what it did. */
export type FoundLoss = {
  lost: {
    hash: string;
    wallet: string;
    nonce: number | null;
    block_number: number;
    outflow: { currency: string; decimals: number; amount_base: string }[];
    fee_base: string;
  };
  /** null: contracts took the coin, in an unknown transaction of the block that `hash` names. */
  foreign: ForeignTransaction | null;
};

/**
 * Reads what a transaction took out of the treasury from every node of its chain, which must all agree.
 *
 * @throws Refusal `invalid_state` when it is not final or took nothing of ours, `temporarily_unavailable` while a node does
 * not answer
 */
export async function findLoss(ctx: Uses<"db">, chain: EvmChain, hash: string): Promise<FoundLoss> {
  const inside = lossInside(await listOpenLines(ctx.db, { chain: chain.chain, hash }, MOST_LINES));
  if (inside !== null) return inside;
  const wallets = await listWalletAddresses(ctx.db, chain.chain);
  let agreed: FoundLoss | null = null;
  for (const node of chain.nodes) {
    const found = await readLoss({ chain, node, wallets }, hash);
    if (agreed !== null && JSON.stringify(agreed.lost) !== JSON.stringify(found.lost))
      throw new Refusal("invalid_state", { detail: `${node.name} shows something else of ${hash} than the node before it.` });
    agreed ??= found;
  }
  if (agreed === null) throw new Error(`${chain.chain} has no node`);
  return agreed;
}

/** What contracts took in an unknown transaction of a block, by its lines in suspense, which every node has confirmed. */
function lossInside(lines: readonly SuspenseLine[]): FoundLoss | null {
  const taken = lines.filter((line) => isInside(line) && line.direction === "out" && line.state === "booked" && line.holder === "wallet");
  const [first] = taken;
  if (first === undefined) return null;
  const amountBase = taken.reduce((sum, line) => sum + line.amountBase, 0n);
  const { hash, sender, currency, decimals, blockNumber } = first;
  const outflow = [{ currency, decimals, amount_base: amountBase.toString() }];
  return { lost: { hash, wallet: sender, nonce: null, block_number: blockNumber, outflow, fee_base: "0" }, foreign: null };
}

/** The chain of a transaction, according to any of its nodes; null where no answering node knows it. */
export async function findChainOf(ctx: Uses<"evm">, hash: string): Promise<string | null> {
  for (const { chain, nodes } of ctx.evm.list()) {
    for (const node of nodes) {
      const receipt = await node.receipt(hash).catch((error: unknown) => {
        if (error instanceof Unreachable) return null;
        throw error;
      });
      if (receipt !== null) return chain;
    }
  }
  return null;
}

type Asked = { chain: EvmChain; node: EvmNode; wallets: readonly string[] };

async function readLoss({ chain, node, wallets }: Asked, hash: string): Promise<FoundLoss> {
  const receipt = await asking(() => readFinal(chain, node, hash));
  if (receipt === null) throw new Refusal("invalid_state", { detail: `${node.name} does not show a final transaction ${hash}.` });
  const own = wallets.find((one) => one.toLowerCase() === receipt.sender.toLowerCase());
  const wallet = own ?? receipt.sender;
  const sent = (await asking(() => node.content(receipt.blockHeight)))?.transactions.find((one) => one.hash.toLowerCase() === hash);
  if (sent === undefined) throw new Refusal("invalid_state", { detail: `${node.name} does not show ${hash} in its block.` });
  // Somebody else's transaction takes tokens alone: its coin and its fee are not ours.
  const paid = own === undefined ? { sent: { ...sent, valueBase: 0n }, fee: 0n } : { sent, fee: receipt.feeBase };
  const outflow = outflowOf({ chain: chain.chain, sent: paid.sent, receipt, wallets, tokens: chain.tokens });
  if (outflow.length === 0 && own === undefined)
    throw new Refusal("invalid_state", { detail: `${hash} was made by ${receipt.sender}, which is no wallet of ours.` });
  if (outflow.length === 0 && paid.fee === 0n) throw new Refusal("invalid_state", { detail: `${hash} took nothing out of the treasury.` });
  const { to, valueBase, data, nonce } = sent;
  const { blockHeight: height, succeeded, logs } = receipt;
  return {
    lost: {
      hash,
      wallet,
      nonce,
      block_number: height,
      outflow: outflow.map(({ asset: { currency, decimals }, amountBase }) => ({ currency, decimals, amount_base: amountBase.toString() })),
      fee_base: paid.fee.toString(),
    },
    foreign: { nonce, hash, height, succeeded, intent: { to, valueBase, data }, logs },
  };
}

async function readFinal(chain: EvmChain, node: EvmNode, hash: string): Promise<EvmReceipt | null> {
  const receipt = await node.receipt(hash);
  return receipt !== null && (await isFinal(chain, node, receipt)) ? receipt : null;
}
