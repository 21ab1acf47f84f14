import { writeCursor } from "#contract/cursor.ts";
import { convertToCurrencyOperation, exchangeRatesOperation, getAllTransactionsOperation } from "#contract/partner/rate-operations.ts";
import { renderConversion, renderExchangeRate } from "#contract/partner/rates.ts";
import { renderTransaction } from "#contract/partner/transactions.ts";
import { isId } from "#domain/ids.ts";
import { convertCurrency, listExchangeRates } from "#server/services/rates/read-rates.ts";
import { listTransactions } from "#server/services/transactions/list-transactions.ts";
import { type Binding, bind } from "./bind.ts";
import { tenantOf } from "./callers.ts";
import { readWalk } from "./page.ts";

export const RATES: readonly Binding[] = [
  bind(exchangeRatesOperation, async (ctx) => ({ body: (await listExchangeRates(ctx)).map(renderExchangeRate) })),
  bind(convertToCurrencyOperation, async (ctx, { query }) => ({ body: renderConversion(await convertCurrency(ctx, query)) })),
  bind(getAllTransactionsOperation, async (ctx, { query, ...caller }) => {
    const page = readWalk(query, isTransactionId);
    const filter = {
      ...tenantOf(caller),
      ...(query.type && { type: query.type }),
      ...(query.status && { status: query.status }),
      ...(query.partner_id && { onlyPartnerId: query.partner_id }),
      ...(query.external_id && { externalId: query.external_id }),
      ...(query.created_from && { createdFrom: query.created_from }),
      ...(query.created_to && { createdTo: query.created_to }),
    };
    const { items, total, older } = await listTransactions(ctx, { filter, ...page });
    const next_cursor = older && writeCursor(older);
    return { body: { items: items.map(renderTransaction), total, skip: page.skip, limit: page.limit, next_cursor } };
  }),
];

function isTransactionId(id: string): boolean {
  return isId("settlement", id) || isId("withdrawal", id) || isId("topup", id);
}
