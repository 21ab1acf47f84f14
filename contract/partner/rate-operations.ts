import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { READ } from "./manners.ts";
import { conversionSchema, convertQuery, exchangeRateSchema } from "./rates.ts";
import { transactionListResponseSchema, transactionQuery } from "./transactions.ts";

export const exchangeRatesOperation = defineOperation({
  ...READ,
  id: "exchange_rates",
  summary: "Exchange Rates",
  path: "/exchange-rates",
  caller: "both",
  result: z.array(exchangeRateSchema),
});

export const convertToCurrencyOperation = defineOperation({
  ...READ,
  id: "convert_to_currency",
  summary: "Convert To Currency",
  path: "/exchange-rates/convert",
  caller: "both",
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
  query: transactionQuery,
  result: transactionListResponseSchema,
});
