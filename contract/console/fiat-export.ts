import { z } from "zod";
import { instant, instantOrNull } from "#contract/primitives.ts";
import { csvLine } from "#domain/csv.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { type Topup, topupStatus } from "#domain/topup.ts";
import { type Withdrawal, withdrawalStatus } from "#domain/withdrawal.ts";
import { orderPage, topupAmounts, withdrawalAmounts } from "./fiat.ts";

/** Lists of orders as CSV files: wire names, amounts as exact decimals in units of their currencies, instants in UTC. */

export const orderExport = z.strictObject({
  kind: z.enum(["withdrawals", "topups"]),
  filter: orderPage.omit({ limit: true, cursor: true, direction: true }),
});

const COLUMNS = [
  ...[
    "id",
    "status",
    "step",
    "partner",
    "external_id",
    "external_user_id",
    "amount",
    "fee",
    "currency",
    "crypto_amount",
    "crypto_currency",
  ],
  ...["exchange_rate", "chain", "wallet_address", "account_type", "account", "provider_reference", "tx_hash", "created_at", "completed_at"],
  "failure_reason",
];
export const ORDER_CSV_HEADER = csvLine(COLUMNS);

export function withdrawalCsvLine({ withdrawal, partner }: { withdrawal: Withdrawal; partner: { name: string } }): string {
  const { destination, sourceCurrency, safeAddress } = withdrawal;
  const status = withdrawalStatus(withdrawal);
  return lineOf(
    withdrawal,
    { status, partner: partner.name, ...withdrawalAmounts(withdrawal), cryptoCurrency: sourceCurrency },
    safeAddress,
    destination,
  );
}

export function topupCsvLine({ topup, partner }: { topup: Topup; partner: { name: string } }): string {
  const { source, destinationCurrency, walletAddress } = topup;
  const status = topupStatus(topup);
  return lineOf(
    topup,
    { status, partner: partner.name, ...topupAmounts(topup), cryptoCurrency: destinationCurrency },
    walletAddress,
    source,
  );
}

type Told = { status: string; partner: string; amount: string; fee: string; crypto: string; cryptoCurrency: string };
type Account = { type: string; account: string };

function lineOf(order: Topup | Withdrawal, told: Told, wallet: string, { type, account }: Account): string {
  return csvLine([
    ...[order.id, told.status, order.step, told.partner, order.externalId, order.externalUserId ?? ""],
    ...[told.amount, told.fee, order.currency, told.crypto, told.cryptoCurrency, formatDecimal(order.exchangeRate), order.chain, wallet],
    ...[type, account, order.providerReference ?? "", order.txHash ?? "", instant(order.createdAt), instantOrNull(order.completedAt) ?? ""],
    order.failureReason ?? "",
  ]);
}
