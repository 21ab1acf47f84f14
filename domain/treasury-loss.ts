import type { EvmReceipt, EvmSent } from "./evm-chain.ts";
import { tokenMovesIn } from "./evm-intent.ts";
import { type Asset, balancedEntry, type LedgerEntry, type Posting } from "./ledger.ts";
import type { TokenInfo } from "./token.ts";
import { reversalOf } from "./treasury-entries.ts";

export type Amount = { asset: Asset; amountBase: bigint };

type Sent = {
  chain: string;
  sent: Pick<EvmSent, "to" | "valueBase">;
  receipt: Pick<EvmReceipt, "succeeded" | "logs">;
  /** Our own addresses on the chain, and the tokens that we keep books of. */
  wallets: readonly string[];
  tokens: readonly TokenInfo[];
};

/**
 * What a transaction of one of our wallets took out of all of them together, token by token, without its fee. Deposits do not count: the
 * reconciliation books money from outside.
 */
export function outflowOf({ chain, sent, receipt, wallets, tokens }: Sent): Amount[] {
  if (!receipt.succeeded) return [];
  const own = new Set(wallets.map((wallet) => wallet.toLowerCase()));
  return tokens.flatMap(({ currency, address, decimals }) => {
    const amountBase = address === null ? coinsOf(sent, own) : tokensOf(receipt.logs, address, own);
    return amountBase > 0n ? [{ asset: { currency, chain, decimals }, amountBase }] : [];
  });
}

function coinsOf({ to, valueBase }: Sent["sent"], own: ReadonlySet<string>): bigint {
  return to !== null && own.has(to.toLowerCase()) ? 0n : valueBase;
}

function tokensOf(logs: EvmReceipt["logs"], token: string, own: ReadonlySet<string>): bigint {
  return tokenMovesIn(logs, token).reduce(
    (sum, { from, to, amountBase }) => sum + (own.has(from) ? amountBase : 0n) - (own.has(to) ? amountBase : 0n),
    0n,
  );
}

/** A transaction's name among the ledger's causes. */
export function lossReference(chain: string, hash: string): string {
  return `${chain}:${hash}`;
}

/**
 * The amount that one transaction of ours took out of the treasury without making an owed payment: the operator bears it. `reference`: {@link
 * lossReference}.
 */
export function treasuryLost(reference: string, { outflow, fee }: { outflow: readonly Amount[]; fee: Amount }): LedgerEntry {
  return balancedEntry({ cause: "treasury", causeId: reference, step: "lost", partnerId: null }, [
    ...outflow.flatMap((amount) => spend("losses", amount)),
    ...spend("network_fees", fee),
  ]);
}

/** Reverses a booked loss in full: the owed payment that the transaction made has turned up. */
export function lossRecovered(lost: LedgerEntry): LedgerEntry {
  return reversalOf(lost, "recovered");
}

function spend(account: "losses" | "network_fees", { asset, amountBase }: Amount): Posting[] {
  return [
    { account, partnerId: null, asset, amount: amountBase },
    { account: "treasury", partnerId: null, asset, amount: -amountBase },
  ];
}
