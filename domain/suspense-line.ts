import type { EvmReceipt } from "./evm-chain.ts";
import { tokenMoveIn } from "./evm-intent.ts";
import { type Asset, balancedEntry, type LedgerEntry } from "./ledger.ts";

/** Whose movement it is: a treasury wallet's, which the ledger counts, or a member's Safe's. */
export const HOLDERS = ["wallet", "safe"] as const;
export type Holder = (typeof HOLDERS)[number];

/** `within`: from one address of ours to another one of the same kind. */
export const LINE_DIRECTIONS = ["in", "out", "within"] as const;
export type LineDirection = (typeof LINE_DIRECTIONS)[number];

/** `seen`: by a node, perhaps by one alone. `booked`: every node shows it in a final block. `gone`: no node shows it any more. */
export const LINE_STATES = ["seen", "booked", "gone"] as const;
export type LineState = (typeof LINE_STATES)[number];

/**
 * What explains a line: a `payment` of ours that it proved, a declared `funding`, a booked `loss`, an explanation by two people (`explained`), or
 * the balance that the books began with (`opening`).
 */
export const LINE_RESOLUTIONS = ["payment", "funding", "loss", "explained", "opening"] as const;
export type LineResolution = (typeof LINE_RESOLUTIONS)[number];

/**
 * Moves of the coin have no event. `value`: the transaction's own; `fee`: its cost; `inside` and below: by contracts, in an unknown transaction of
 * a block, whose hash is the line's.
 */
export const COIN_PLACES = { value: -1, fee: -2, inside: -3 } as const;

/** Whether it is the coin that moved inside contracts: the line's hash is that of the block. */
export function isInside({ place }: { place: number }): boolean {
  return place <= COIN_PLACES.inside;
}

/** What movements of a kind of holder are read by: the events of tokens, or the balances of the coin. */
export const CURSORS = ["wallet", "safe", "wallet_coin", "safe_coin"] as const;
export type CursorName = (typeof CURSORS)[number];

/** Names a line, for the chain and for people. */
export type LineName = { chain: string; hash: string; place: number; holder: Holder };

export type SuspenseLine = LineName & {
  direction: LineDirection;
  currency: string;
  decimals: number;
  token: string | null;
  sender: string;
  recipient: string;
  amountBase: bigint;
  blockNumber: number;
  blockHash: string;
  state: LineState;
  bookings: number;
  resolution: LineResolution | null;
  proposalId: string | null;
  foundAt: Date;
  resolvedAt: Date | null;
};

/** Lines of a kind that are not explained. `oldestSeconds`: of business time. */
export type SuspenseSum = {
  chain: string;
  holder: Holder;
  direction: LineDirection;
  currency: string;
  decimals: number;
  count: number;
  amountBase: bigint;
  oldestSeconds: number;
};

/** Whether the ledger counts it: a movement between a treasury wallet and the outside. */
export function isCounted({ holder, direction }: Pick<SuspenseLine, "holder" | "direction">): boolean {
  return holder === "wallet" && direction !== "within";
}

/** What it changed in the treasury's balance. */
export function changeOf({ direction, amountBase }: Pick<SuspenseLine, "direction" | "amountBase">): bigint {
  return direction === "in" ? amountBase : direction === "out" ? -amountBase : 0n;
}

/** The line's name among the ledger's causes. A deep reorg may book it again, under another name. */
export function lineReference({ chain, hash, place }: LineName, booking: number): string {
  return `${chain}:${hash}:${place}:${booking}`;
}

/** The treasury has changed, and nobody has said why. */
export function lineSuspended(line: SuspenseLine, booking: number): LedgerEntry {
  const asset = assetOf(line);
  return balancedEntry({ cause: "treasury", causeId: lineReference(line, booking), step: "suspended", partnerId: null }, [
    { account: "treasury", partnerId: null, asset, amount: changeOf(line) },
    { account: "suspense", partnerId: null, asset, amount: -changeOf(line) },
  ]);
}

export function assetOf({ currency, chain, decimals }: SuspenseLine): Asset {
  return { currency, chain, decimals };
}

/** Whether a receipt has the line's event where the line says. */
export function showsLine({ succeeded, logs }: EvmReceipt, { place, token, sender, recipient, amountBase }: SuspenseLine): boolean {
  const log = logs[place];
  const move = succeeded && log !== undefined && log.address.toLowerCase() === token ? tokenMoveIn(log) : null;
  return move !== null && move.from === sender && move.to === recipient && move.amountBase === amountBase;
}
