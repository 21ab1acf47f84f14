import type { Decimal } from "./decimal.ts";
import { FIAT_STATUSES } from "./fiat.ts";
import { SETTLEMENT_STATUSES } from "./settlement.ts";

/** The kinds in the list of all transactions (contract, part 6 "Get All Transactions"). */
export const TRANSACTION_TYPES = ["settlement", "withdrawal", "topup"] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** The statuses of all three kinds together. */
export const TRANSACTION_STATUSES = [...new Set([...SETTLEMENT_STATUSES, ...FIAT_STATUSES])];
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** Fiat: minor units, `decimals` 0. Crypto: base units of a token with that many decimals. */
export type MoneySide = { currency: string; units: bigint; decimals: number };

/** The common data of settlements, withdrawals and top-ups. */
export type PartnerTransaction = {
  type: TransactionType;
  id: string;
  partnerId: string;
  externalId: string | null;
  status: TransactionStatus;
  source: MoneySide;
  destination: MoneySide;
  /** The fee, in its currency. */
  fee: MoneySide;
  exchangeRate: Decimal;
  chain: string;
  txHash: string | null;
  failureReason: string | null;
  createdAt: Date;
  /** Executed or completed. */
  completedAt: Date | null;
};
