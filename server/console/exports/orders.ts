import { z } from "zod";
import { instant, instantOrNull } from "#contract/primitives.ts";
import { toInside } from "#contract/wire.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { type Topup, topupStatus } from "#domain/topup.ts";
import { type Withdrawal, withdrawalStatus } from "#domain/withdrawal.ts";
import { orderFilter, ownOrders } from "#server/console/fiat-input.ts";
import { topupAmounts, withdrawalAmounts } from "#server/console/fiat-rows.ts";
import { exportTopups, exportWithdrawals } from "#server/services/fiat/order-stories.ts";
import type { BrowsedTopup, BrowsedWithdrawal } from "#server/services/fiat/read-orders.ts";
import { type CsvContext, type CsvFile, linesOf, rememberable } from "./csv-file.ts";

const orderExport = z.strictObject({ kind: z.enum(["withdrawals", "topups"]), filter: z.strictObject(orderFilter) });

/** Wire names. Amounts are exact decimals in units of their currencies, instants in UTC. */
const COLUMNS = [
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
  "exchange_rate",
  "chain",
  "wallet_address",
  "account_type",
  "account",
  "provider_reference",
  "tx_hash",
  "created_at",
  "completed_at",
  "failure_reason",
  "metadata",
];

/** The withdrawals or top-ups that a list shows. */
export async function ordersFile({ services, holder, by }: CsvContext, input: unknown): Promise<CsvFile> {
  const { kind, filter: asked } = orderExport.parse(input);
  const order = { by, filter: ownOrders(toInside(asked), holder), asked: { filter: rememberable(asked) } };
  const lines =
    kind === "topups"
      ? linesOf(await exportTopups(services, order), topupCells)
      : linesOf(await exportWithdrawals(services, order), withdrawalCells);
  return { name: kind, columns: COLUMNS, lines };
}

function withdrawalCells({ withdrawal, partner }: BrowsedWithdrawal): string[] {
  const { destination, sourceCurrency, safeAddress } = withdrawal;
  const cells = { status: withdrawalStatus(withdrawal), partner: partner.name, ...withdrawalAmounts(withdrawal) };
  return cellsOf(withdrawal, { ...cells, cryptoCurrency: sourceCurrency, wallet: safeAddress, account: destination });
}

function topupCells({ topup, partner }: BrowsedTopup): string[] {
  const { source, destinationCurrency, walletAddress } = topup;
  const cells = { status: topupStatus(topup), partner: partner.name, ...topupAmounts(topup) };
  return cellsOf(topup, { ...cells, cryptoCurrency: destinationCurrency, wallet: walletAddress, account: source });
}

type OrderCells = Record<"status" | "partner" | "amount" | "fee" | "crypto" | "cryptoCurrency" | "wallet", string> & {
  account: { type: string; account: string };
};

function cellsOf(order: Topup | Withdrawal, { account: { type, account }, ...rest }: OrderCells): string[] {
  return [
    order.id,
    rest.status,
    order.step,
    rest.partner,
    order.externalId,
    order.externalUserId ?? "",
    rest.amount,
    rest.fee,
    order.currency,
    rest.crypto,
    rest.cryptoCurrency,
    formatDecimal(order.exchangeRate),
    order.chain,
    rest.wallet,
    type,
    account,
    order.providerReference ?? "",
    order.txHash ?? "",
    instant(order.createdAt),
    instantOrNull(order.completedAt) ?? "",
    order.failureReason ?? "",
    order.metadata === null ? "" : JSON.stringify(order.metadata),
  ];
}
