import { z } from "zod";
import { instant, instantOrNull } from "#contract/primitives.ts";
import { csvLine } from "#domain/csv.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { type Topup, topupStatus } from "#domain/topup.ts";
import { type Withdrawal, withdrawalStatus } from "#domain/withdrawal.ts";
import type { BrowsedTopup, BrowsedWithdrawal } from "#server/services/fiat/browse-orders.ts";
import { exportTopups, exportWithdrawals } from "#server/services/fiat/export-orders.ts";
import { orderFilter, ownOrders } from "./fiat-input.ts";
import { topupAmounts, withdrawalAmounts } from "./fiat-rows.ts";
import { actorOf } from "./trpc/context.ts";
import type { WebParts } from "./trpc/create-context.ts";
import { type CsvContext, type CsvFile, handleCsv } from "./trpc/csv-response.ts";
import { toInside } from "./wire.ts";

const orderExport = z.strictObject({ kind: z.enum(["withdrawals", "topups"]), filter: z.strictObject(orderFilter) });

/** Wire names. Amounts are exact decimals in units of their currencies, instants in UTC. */
const COLUMNS = [
  ...["id", "status", "step", "partner", "external_id", "external_user_id", "amount", "fee", "currency", "crypto_amount"],
  ...["crypto_currency", "exchange_rate", "chain", "wallet_address", "account_type", "account", "provider_reference", "tx_hash"],
  ...["created_at", "completed_at", "failure_reason"],
];

/** The withdrawals or top-ups that a list shows, as a CSV file. */
export async function handleFiatExport(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  return await handleCsv(web, request, cookie, write);
}

async function write({ services, holder, requestId }: CsvContext, input: unknown): Promise<CsvFile> {
  const { kind, filter: asked } = orderExport.parse(input);
  const order = {
    by: { actor: actorOf(holder), requestId },
    filter: ownOrders(toInside(asked), holder),
    asked: { filter: JSON.parse(JSON.stringify(asked)) },
  };
  const batches =
    kind === "topups"
      ? linesOf(await exportTopups(services, order), topupLine)
      : linesOf(await exportWithdrawals(services, order), withdrawalLine);
  return { name: kind, head: csvLine(COLUMNS), batches };
}

async function* linesOf<Row>(batches: AsyncGenerator<Row[]>, lineOf: (row: Row) => string): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(lineOf).join("");
}

function withdrawalLine({ withdrawal, partner }: BrowsedWithdrawal): string {
  const { destination, sourceCurrency, safeAddress } = withdrawal;
  const told = { status: withdrawalStatus(withdrawal), partner: partner.name, ...withdrawalAmounts(withdrawal) };
  return lineOf(withdrawal, { ...told, cryptoCurrency: sourceCurrency, wallet: safeAddress, account: destination });
}

function topupLine({ topup, partner }: BrowsedTopup): string {
  const { source, destinationCurrency, walletAddress } = topup;
  const told = { status: topupStatus(topup), partner: partner.name, ...topupAmounts(topup) };
  return lineOf(topup, { ...told, cryptoCurrency: destinationCurrency, wallet: walletAddress, account: source });
}

type Told = Record<"status" | "partner" | "amount" | "fee" | "crypto" | "cryptoCurrency" | "wallet", string> & {
  account: { type: string; account: string };
};

function lineOf(order: Topup | Withdrawal, { account: { type, account }, ...told }: Told): string {
  return csvLine([
    ...[order.id, told.status, order.step, told.partner, order.externalId, order.externalUserId ?? "", told.amount, told.fee],
    ...[order.currency, told.crypto, told.cryptoCurrency, formatDecimal(order.exchangeRate), order.chain, told.wallet, type, account],
    ...[order.providerReference ?? "", order.txHash ?? "", instant(order.createdAt), instantOrNull(order.completedAt) ?? ""],
    order.failureReason ?? "",
  ]);
}
