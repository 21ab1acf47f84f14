/** Withdrawals and top-ups to try the lifecycles on: nothing but tests reads this. */
import { decimal } from "./decimal.ts";
import { TOPUP_LIFETIME_MS, type Topup, type TopupStep } from "./topup.ts";
import type { Withdrawal, WithdrawalStep } from "./withdrawal.ts";

export const CREATED = new Date("2026-11-21T10:00:00.000Z");
export const NOW = new Date("2026-11-21T10:00:07.000Z");

const priced = {
  midRate: decimal("0.0077423"),
  spreadBps: 50,
  rateSource: "fixed",
  rateAsOf: CREATED,
  pairTermsId: "pt_1",
  chargeFeePercentage: decimal("1.5"),
};
const common = {
  partnerId: "7f0c2c1e-32a5-4f0e-9d53-0d7f0f9f4a11",
  apiKeyId: "11111111-32a5-4f0e-9d53-0d7f0f9f4a11",
  externalId: "order-1",
  amountMinor: 100_000n,
  feeMinor: 1_500n,
  currency: "KES",
  chain: "eip155:31337",
  tokenAddress: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  tokenDecimals: 6,
  callbackUrl: null,
  provider: "fiat",
  trace: null,
  metadata: null,
  providerReference: null,
  txHash: null,
  failureReason: null,
  createdAt: CREATED,
  updatedAt: CREATED,
  completedAt: null,
  cancelledAt: null,
  ...priced,
};

export function withdrawalAt(step: WithdrawalStep, more: Partial<Withdrawal> = {}): Withdrawal {
  return {
    ...common,
    id: "wd_1",
    memberId: null,
    externalUserId: null,
    step,
    sourceAmountBase: 7_900_000n,
    sourceCurrency: "USDT",
    safeAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    treasuryAddress: null,
    destination: { type: "mobile_money", account: "+254700000000", name: "Wanjiru" },
    exchangeRate: decimal("128.515"),
    returnTxHash: null,
    ...more,
  };
}

export function topupAt(step: TopupStep, more: Partial<Topup> = {}): Topup {
  return {
    ...common,
    id: "tu_1",
    memberId: "22222222-32a5-4f0e-9d53-0d7f0f9f4a11",
    externalUserId: "user-1",
    step,
    destinationAmountBase: 7_600_000n,
    destinationCurrency: "USDT",
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    source: { type: "mobile_money", account: "+254700000000" },
    payment: { reference: "tu_1", instructions: "Confirm on the phone." },
    expiresAt: new Date(CREATED.getTime() + TOPUP_LIFETIME_MS),
    expiredAt: null,
    latePaidAt: null,
    exchangeRate: decimal("0.0077035885"),
    ...more,
  };
}
