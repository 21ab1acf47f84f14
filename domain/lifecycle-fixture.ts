/** Settlements to try the lifecycle on: nothing but tests reads this. */
import { decimal } from "./decimal.ts";
import type { Action, ActionType } from "./lifecycle.ts";
import type { ApprovalState, Quote, Settlement, SettlementStatus } from "./settlement.ts";

export const EXPIRES = new Date("2026-11-21T10:05:00.000Z");
export const BEFORE = new Date(EXPIRES.getTime() - 1);
export const AFTER = new Date(EXPIRES.getTime() + 1);

export const quote: Quote = {
  version: 1,
  exchangeRate: decimal("0.0077035885"),
  midRate: decimal("0.0077423"),
  spreadBps: 50,
  rateSource: "fixed",
  rateAsOf: new Date("2026-11-21T09:59:59.000Z"),
  pairTermsId: "pt_1",
  grossBase: 1_000_000n,
  platformFeeBase: 400_000n,
  destinationAmountBase: 600_000n,
  pricedAt: new Date("2026-11-21T10:00:00.000Z"),
  expiresAt: EXPIRES,
};
export const repriced: Quote = { ...quote, version: 2, destinationAmountBase: 599_000n, expiresAt: new Date("2026-11-21T11:00:00.000Z") };

export function settlementIn(status: SettlementStatus, approvalState: ApprovalState | null): Settlement {
  return {
    id: "tx_1",
    partnerId: "partner",
    apiKeyId: "key",
    status,
    batchId: null,
    approvalState,
    externalTxId: null,
    externalMerchantId: "merchant",
    sourceAmountMinor: 12_950_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    chain: "eip155:31337",
    walletAddress: "0xde709f2102306220921060314715629080e2fb77",
    tokenAddress: null,
    tokenDecimals: 6,
    quote,
    creationCallbackUrl: null,
    callbackUrl: null,
    createdAt: quote.pricedAt,
    confirmedAt: null,
    cancelledAt: null,
    approvalDecidedAt: null,
    trace: null,
    metadata: null,
    rejectionReason: null,
    txHash: null,
    executedAt: null,
    failureReason: null,
    failedAt: null,
  };
}

export const ACTIONS = {
  approve: { type: "approve", quote: repriced },
  reject: { type: "reject", reason: "no source of funds" },
  confirm: { type: "confirm", externalTxId: "order-1", callbackUrl: "https://partner.example/hook" },
  cancel: { type: "cancel" },
  execute: { type: "execute", txHash: "0xabc" },
  fail: { type: "fail", reason: "the recipient is blocked by the token" },
} as const satisfies Record<ActionType, Action>;
