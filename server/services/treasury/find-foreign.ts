import type { EvmSent } from "#domain/evm-chain.ts";
import type { ForeignTransaction } from "#domain/foreign-transaction.ts";
import { type EvmNode, EvmRejected } from "#server/ports.ts";

/** `nonces`: which are looked for. `above`: no block up to this height has one of them, as far as is known. */
export type ForeignSearch = { address: string; nonces: readonly number[]; above: number; head: number; mostBlocks: number };
export type ForeignFound = { found: ForeignTransaction[]; unread: number[] };

/**
 * Finds the transactions at a wallet's nonces, by searching for the height at which the chain's nonce count passed each. For a node without
 * old states it searches the newest blocks themselves, up to a limit. Nonces that cannot be found are returned as unread.
 *
 * @throws Unreachable
 */
export async function findForeign(node: EvmNode, search: ForeignSearch): Promise<ForeignFound> {
  const nonces = search.nonces.toSorted((left, right) => left - right);
  const sent = new Map<number, EvmSent & { height: number }>();
  try {
    let above = search.above;
    for (const nonce of nonces) {
      if (sent.has(nonce)) continue;
      const height = await heightOf(node, search, nonce, above);
      if (height === null) continue;
      await readBlock(node, search.address, height, sent);
      above = height - 1;
    }
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    const from = Math.max(search.above + 1, search.head - search.mostBlocks + 1, 0);
    for (let height = search.head; height >= from; height -= 1) await readBlock(node, search.address, height, sent);
  }
  const found: ForeignTransaction[] = [];
  const unread: number[] = [];
  for (const nonce of nonces) {
    const one = sent.get(nonce);
    const receipt = one ? await node.receipt(one.hash) : null;
    if (!one || !receipt) unread.push(nonce);
    else {
      const { to, valueBase, data } = one;
      const { hash, blockHeight: height, succeeded, logs } = receipt;
      found.push({ nonce, hash, height, succeeded, intent: { to, valueBase, data }, logs });
    }
  }
  return { found, unread };
}

/** The height of the block that spent the nonce; null when none did yet. */
async function heightOf(node: EvmNode, { address, head }: ForeignSearch, nonce: number, above: number): Promise<number | null> {
  const isSpent = async (height: number) => (await node.nonce(address, height)) > nonce;
  if (!(await isSpent(head))) return null;
  let before = above >= 0 && !(await isSpent(above)) ? above : -1;
  let spent = head;
  while (spent - before > 1) {
    const middle = before + Math.floor((spent - before) / 2);
    if (await isSpent(middle)) spent = middle;
    else before = middle;
  }
  return spent;
}

async function readBlock(node: EvmNode, address: string, height: number, sent: Map<number, EvmSent & { height: number }>): Promise<void> {
  const { transactions = [] } = (await node.content(height)) ?? {};
  for (const one of transactions) if (one.sender === address.toLowerCase()) sent.set(one.nonce, { ...one, height });
}
