import type { EvmContent, EvmReceipt, EvmSent } from "./evm-chain.ts";
import { ZERO_ADDRESS } from "./evm-intent.ts";
import { COIN_PLACES } from "./suspense-line.ts";

/** A move of the coin, in lower case. The zero address: a fee or a contract names nobody. */
export type CoinMove = { hash: string; place: number; sender: string; recipient: string; amountBase: bigint };

/** What the coin did inside a contract call of ours: a Safe's sweep. */
export type InnerMove = Pick<CoinMove, "sender" | "recipient" | "amountBase">;

/** A block, as one node shows it. */
export type CoinBlock = {
  content: EvmContent;
  /** Of the transactions that our addresses made, or that name one as recipient. */
  receipts: ReadonlyMap<string, EvmReceipt>;
  /** How the balances of our addresses changed in it; null: the node has forgotten. */
  changes: ReadonlyMap<string, bigint> | null;
  inner: readonly InnerMove[];
};

/** The transactions of a block that name one of these addresses as sender or recipient. */
export function sentBetween({ transactions }: EvmContent, ours: ReadonlySet<string>): EvmSent[] {
  return transactions.filter(({ sender, to }) => ours.has(sender) || (to !== null && ours.has(to.toLowerCase())));
}

/**
 * Everything that moved the coin of these addresses in one block: what transactions paid, and what they cost. What remains of a balance's change
 * moved inside contracts, in no transaction that a node would name.
 */
export function coinMovesIn(block: CoinBlock, ours: ReadonlySet<string>): CoinMove[] {
  const { content, receipts, changes, inner } = block;
  const moves = sentBetween(content, ours).flatMap((sent) => {
    const receipt = receipts.get(sent.hash);
    return receipt === undefined ? [] : movesOf(sent, receipt).filter(({ sender, recipient }) => ours.has(sender) || ours.has(recipient));
  });
  if (changes === null) return moves;
  const rests = [...changes].flatMap(([address, change]) => {
    const rest = change - sumFor(address, [...moves, ...inner]);
    return rest === 0n ? [] : [insideMove(content.hash, address, rest)];
  });
  return [...moves, ...rests];
}

/** What one transaction paid, if it succeeded, and what it cost. */
export function movesOf({ hash, sender, to, valueBase }: EvmSent, { succeeded, feeBase, contractAddress }: EvmReceipt): CoinMove[] {
  const recipient = (to ?? contractAddress ?? ZERO_ADDRESS).toLowerCase();
  const isPaid = succeeded && valueBase > 0n && sender !== recipient;
  const value = { hash, place: COIN_PLACES.value, sender, recipient, amountBase: valueBase };
  const fee = { hash, place: COIN_PLACES.fee, sender, recipient: ZERO_ADDRESS, amountBase: feeBase };
  return [...(isPaid ? [value] : []), ...(feeBase > 0n ? [fee] : [])];
}

function insideMove(hash: string, address: string, rest: bigint): CoinMove {
  const [sender, recipient] = rest > 0n ? [ZERO_ADDRESS, address] : [address, ZERO_ADDRESS];
  return { hash, place: insidePlace(address), sender, recipient, amountBase: rest > 0n ? rest : -rest };
}

/** Each address has a place of its own in a block, from `inside` down: two of ours may move in the same one. */
function insidePlace(address: string): number {
  return COIN_PLACES.inside - (Number.parseInt(address.slice(-4), 16) >> 1);
}

function sumFor(address: string, moves: readonly InnerMove[]): bigint {
  return moves.reduce((sum, { sender, recipient, amountBase }) => {
    return sum + (recipient === address ? amountBase : 0n) - (sender === address ? amountBase : 0n);
  }, 0n);
}
