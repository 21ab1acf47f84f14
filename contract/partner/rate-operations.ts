import { z } from "zod";
import { defineOperation, nothing } from "#contract/operation.ts";
import { READ } from "./manners.ts";
import { conversionSchema, convertQuery, exchangeRateSchema } from "./rates.ts";
import { transactionListResponseSchema, transactionQuery } from "./transactions.ts";

export const exchangeRatesOperation = defineOperation({
  ...READ,
  id: "exchange_rates",
  summary: "Exchange Rates",
  path: "/exchange-rates",
  caller: "both",
  params: nothing,
  query: nothing,
  result: z.array(exchangeRateSchema),
  refusals: [],
});

export const convertToCurrencyOperation = defineOperation({
  ...READ,
  id: "convert_to_currency",
  summary: "Convert To Currency",
  path: "/exchange-rates/convert",
  caller: "both",
  params: nothing,
  query: convertQuery,
  result: conversionSchema,
  refusals: ["unsupported_pair", "amount_too_large", "rate_unavailable"],
});

export const getAllTransactionsOperation = defineOperation({
  ...READ,
  id: "get_all_transactions",
  summary: "Get All Transactions",
  path: "/partners/transactions",
  caller: "both",
  params: nothing,
  query: transactionQuery,
  result: transactionListResponseSchema,
  refusals: [],
});
