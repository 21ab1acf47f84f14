import { z } from "zod";
import { instant, instantOrNull, plainText } from "#contract/primitives.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { baseToDecimal, fiatAmount } from "#domain/money.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { WalletState } from "#domain/wallet.ts";

/** The treasury as the operator's people see it, and the orders of an admin. Amounts are exact decimals as texts. */

const reason = plainText(8, 1_000);
const transferId = plainText(1, 64);
export const oneTransfer = z.strictObject({ transfer_id: transferId });
export const transferOrder = z.strictObject({ transfer_id: transferId, reason });
export const resolution = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("resume"), transfer_id: transferId, reason }),
  z.strictObject({
    outcome: z.literal("executed"),
    transfer_id: transferId,
    tx_hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, { error: "must be a transaction's hash" }),
    reason,
  }),
  /** What the partner is told. */
  z.strictObject({ outcome: z.literal("failed"), transfer_id: transferId, failure_reason: plainText(8, 500), reason }),
]);

type Balance = { currency: string; amountBase: bigint; thresholdBase: bigint; low: boolean; height: number; observedAt: Date };
type Attempt = {
  hash: string;
  number: number;
  kind: "payment" | "cancellation";
  maxFeePerGas: bigint;
  signedAt: Date;
  broadcastAt: Date | null;
};
type Entry = { nonce: number; createdAt: Date; transfer: Transfer; attempts: readonly Attempt[] };
type Wallet = {
  id: string;
  address: string;
  state: WalletState;
  trouble: string | null;
  held: boolean;
  nextNonce: number | null;
  inFlight: { count: number; lowestNonce: number | null; nativeBase: bigint; tokenBase: ReadonlyMap<string, bigint> };
  balances: readonly Balance[];
  lane: readonly Entry[];
  gaps: readonly number[];
};
type Head = {
  height: number | null;
  blockAt: Date | null;
  seenAt: Date | null;
  checkedAt: Date;
  nodesUp: number;
  nodesTotal: number;
  trouble: string | null;
  baseFeePerGas: bigint | null;
  tipPerGas: bigint | null;
};
type Currency = { currency: string; decimals: number; isNative: boolean; usedBase: bigint; queuedBase: bigint; hours: number | null };
type Chain = {
  info: {
    chain: string;
    name: string;
    confirmations: number;
    maxFeePerGas: bigint | null;
    tokens: readonly { currency: string; address: string | null; decimals: number }[];
  };
  head: Head | null;
  currencies: readonly Currency[];
  wallets: readonly Wallet[];
};

/** Nine decimals: gwei. */
const gwei = (wei: bigint | null) => (wei === null ? null : formatDecimal({ coefficient: wei, scale: 9 }));

export function renderBoardChain({ info, head, currencies, wallets }: Chain) {
  const decimalsOf = (currency: string) => info.tokens.find((token) => token.currency === currency)?.decimals ?? 0;
  return {
    chain: info.chain,
    name: info.name,
    confirmations: info.confirmations,
    gas: {
      base_gwei: gwei(head?.baseFeePerGas ?? null),
      tip_gwei: gwei(head?.tipPerGas ?? null),
      cap_gwei: gwei(info.maxFeePerGas),
    },
    head: head && {
      height: head.height,
      block_at: instantOrNull(head.blockAt),
      seen_at: instantOrNull(head.seenAt),
      checked_at: instant(head.checkedAt),
      nodes_up: head.nodesUp,
      nodes_total: head.nodesTotal,
      trouble: head.trouble,
    },
    currencies: currencies.map(({ currency, decimals, isNative, usedBase, queuedBase, hours }) => ({
      currency,
      native: isNative,
      used_24h: formatDecimal(baseToDecimal(usedBase, decimals)),
      queued: formatDecimal(baseToDecimal(queuedBase, decimals)),
      hours,
    })),
    wallets: wallets.map((wallet) => renderWallet(wallet, info, decimalsOf)),
  };
}
export type BoardChainWire = ReturnType<typeof renderBoardChain>;

function renderWallet(wallet: Wallet, info: Chain["info"], decimalsOf: (currency: string) => number) {
  const { inFlight } = wallet;
  const promised = info.tokens.map(({ currency, address, decimals }) => {
    const base = address === null ? inFlight.nativeBase : (inFlight.tokenBase.get(address.toLowerCase()) ?? 0n);
    return { currency, amount: formatDecimal(baseToDecimal(base, decimals)) };
  });
  return {
    id: wallet.id,
    address: wallet.address,
    state: wallet.state,
    trouble: wallet.trouble,
    held: wallet.held,
    next_nonce: wallet.nextNonce,
    in_flight: { count: inFlight.count, lowest_nonce: inFlight.lowestNonce, amounts: promised },
    balances: wallet.balances.map(({ currency, amountBase, thresholdBase, low, height, observedAt }) => ({
      currency,
      amount: formatDecimal(baseToDecimal(amountBase, decimalsOf(currency))),
      threshold: formatDecimal(baseToDecimal(thresholdBase, decimalsOf(currency))),
      low,
      height,
      observed_at: instant(observedAt),
    })),
    gaps: [...wallet.gaps],
    lane: wallet.lane.map(renderLaneEntry),
  };
}

function renderLaneEntry({ nonce, createdAt, transfer, attempts }: Entry) {
  return {
    nonce,
    created_at: instant(createdAt),
    ...renderTransfer(transfer),
    attempts: attempts.map(({ hash, number, kind, maxFeePerGas, signedAt, broadcastAt }) => ({
      hash,
      number,
      kind,
      max_fee_gwei: gwei(maxFeePerGas) ?? "",
      signed_at: instant(signedAt),
      broadcast_at: instantOrNull(broadcastAt),
    })),
  };
}
export type LaneEntryWire = ReturnType<typeof renderLaneEntry>;

function renderTransfer(transfer: Transfer) {
  return {
    transfer_id: transfer.id,
    purpose: transfer.purpose,
    owner_id: transfer.ownerId,
    state: transfer.state,
    chain: transfer.chain,
    amount: formatDecimal(baseToDecimal(transfer.amountBase, transfer.tokenDecimals)),
    currency: transfer.currency,
    recipient: transfer.recipient,
    waiting_reason: transfer.waitingReason,
    review_reason: transfer.reviewReason,
    tx_hash: transfer.txHash,
    cancel_requested_at: instantOrNull(transfer.cancelRequestedAt),
    bump_requested_at: instantOrNull(transfer.bumpRequestedAt),
  };
}

type Review = {
  transfer: Transfer;
  wallet: string;
  nonce: number;
  mayFail: boolean;
  nodes: readonly {
    node: string;
    nonce: number | null;
    attempts:
      | readonly { hash: string; kind: "payment" | "cancellation"; seen: "unknown" | "reverted" | "paid" | "moved_nothing" | "unclear" }[]
      | null;
    danger: string | null;
  }[];
};

export function renderReview({ transfer, wallet, nonce, mayFail, nodes }: Review) {
  return {
    ...renderTransfer(transfer),
    wallet,
    nonce,
    may_fail: mayFail,
    nodes: nodes.map(({ attempts, ...node }) => ({ ...node, attempts: attempts && [...attempts] })),
  };
}

export function renderReviewed(transfer: Transfer) {
  return renderTransfer(transfer);
}

type Reconciliation = {
  day: string;
  startedAt: Date;
  finishedAt: Date;
  rules: number;
  checked: number;
  findings: readonly { rule: string; subject: string; detail: string }[];
};

export function renderReconciliation({ day, startedAt, finishedAt, rules, checked, findings }: Reconciliation) {
  return {
    day,
    started_at: instant(startedAt),
    finished_at: instant(finishedAt),
    rules,
    checked,
    findings: findings.map(({ rule, subject, detail }) => ({ rule, subject, detail })),
  };
}

type LedgerLine = { account: string; partnerName: string | null; currency: string; chain: string | null; decimals: number; amount: bigint };

/** Debit above, credit below zero. */
export function renderLedgerLine({ account, partnerName, currency, chain, decimals, amount }: LedgerLine) {
  const size = amount < 0n ? -amount : amount;
  const text = chain === null ? fiatAmount(size, currency) : formatDecimal(baseToDecimal(size, decimals));
  return { account, partner: partnerName, currency, chain, amount: `${amount < 0n ? "−" : ""}${text}` };
}
