import { readCursor, writeCursor } from "#contract/cursor.ts";
import {
  cancelOneSettlementOperation,
  cancelSettlementOperation,
  confirmOneSettlementOperation,
  confirmSettlementOperation,
  createSettlementOperation,
  getSettlementOperation,
  listSettlementsOperation,
} from "#contract/settlement/v1/operations.ts";
import type { ConfirmBody, ListQuery } from "#contract/settlement/v1/requests.ts";
import { renderCreated } from "#contract/settlement/v1/settlement.ts";
import { isId } from "#domain/ids.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import type { Screening } from "#domain/screening.ts";
import { SETTLEMENT_STATUSES } from "#domain/settlement.ts";
import type { Context, Uses } from "#server/context.ts";
import { joinTrace, tracePlace } from "#server/observe/trace.ts";
import { knownCost } from "#server/services/rates/estimate-cost.ts";
import { screenConfirmation } from "#server/services/screening/screen-confirmation.ts";
import { cancelSettlement } from "#server/services/settlements/cancel-settlement.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { judgeQuoted, judgeToConfirm } from "#server/services/settlements/judge-recipients.ts";
import { type ListSettlements, listSettlements } from "#server/services/settlements/list-settlements.ts";
import { readSettlementAsShown } from "#server/services/settlements/read-settlement.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";
import type { SignedCaller } from "./callers.ts";
import { checkGivenUrl, showAll, showOne } from "./show-settlement.ts";

/**
 * The settlement's own operations: each translates a call into a service's command, and the settlement into an answer.
 * `registry.ts` passes them to `handle` in `surface.ts`. All but the last two write, in one transaction.
 *
 * `bind(operation, work)`: the work runs in the transaction.
 * `bindAfter(operation, calls, work)`: the network calls come before the transaction, and the work gets their result.
 */

const DEFAULT_LIMIT = 25;

export const SETTLEMENTS: readonly Binding[] = [
  bindAfter(
    createSettlementOperation,
    async (ctx, { body }) => {
      const { chain, destination_currency: destinationCurrency, wallet_address: walletAddress } = body;
      const asked = { chain, destinationCurrency, walletAddress };
      const [[recipientFault = null]] = await Promise.all([judgeQuoted(ctx, [asked]), checkGivenUrl(ctx, body.callback_url)]);
      return { recipientFault, cost: knownCost(ctx, asked) };
    },
    async (ctx, { body, ...caller }, { recipientFault, cost }) => {
      const settlement = await createSettlement(ctx, {
        ...caller,
        sourceAmountMinor: BigInt(body.source_amount),
        sourceCurrency: body.source_currency,
        destinationCurrency: body.destination_currency,
        externalMerchantId: body.external_merchant_id,
        chain: body.chain,
        walletAddress: body.wallet_address,
        callbackUrl: body.callback_url ?? null,
        metadata: body.metadata ?? null,
        trace: tracePlace(),
        recipientFault,
      });
      return { body: renderCreated(settlement, cost), headers: { Location: `/api/v1/settlements/${settlement.id}` } };
    },
  ),
  // POST /api/v1/settlements/confirm
  bindAfter(
    confirmSettlementOperation,
    (ctx, { body, partnerId }) => prepareConfirm(ctx, { partnerId, id: body.tx_id }, body),
    (ctx, { body, ...caller }, found) => confirmAndShow(ctx, caller, body.tx_id, { ...body, ...found }),
  ),
  // POST /api/v1/settlements/{tx_id}/confirm
  bindAfter(
    confirmOneSettlementOperation,
    (ctx, { params, body, partnerId }) => {
      refuseOtherId(params.tx_id, body.tx_id);
      return prepareConfirm(ctx, { partnerId, id: params.tx_id }, body);
    },
    (ctx, { params, body, ...caller }, found) => confirmAndShow(ctx, caller, params.tx_id, { ...body, ...found }),
  ),
  bind(cancelSettlementOperation, (ctx, { body, ...caller }) => cancel(ctx, caller, body.tx_id)),
  bind(cancelOneSettlementOperation, (ctx, { params, ...caller }) => cancel(ctx, caller, params.tx_id)),
  bind(getSettlementOperation, async (ctx, { params, partnerId }) =>
    showOne(ctx, await readSettlementAsShown(ctx, { partnerId, id: params.tx_id })),
  ),
  bind(listSettlementsOperation, async (ctx, { query, partnerId }) => {
    const page = await listSettlements(ctx, readListQuery(ctx, partnerId, query));
    return { body: { data: await showAll(ctx, page.items), next_cursor: page.older && writeCursor(page.older) } };
  }),
];

/** The network calls before a confirmation. Only the URL can refuse here. Screening returns its result, or null, and so do the chain's nodes. */
async function prepareConfirm(ctx: Context, settlement: { partnerId: string; id: string }, body: Pick<ConfirmBody, "callback_url">) {
  const asked = [screenConfirmation(ctx, settlement), judgeToConfirm(ctx, settlement)] as const;
  const [screening, recipientFault] = await Promise.all([...asked, checkGivenUrl(ctx, body.callback_url)]);
  return { screening, recipientFault };
}

type ConfirmInput = ConfirmBody & { screening: Screening | null; recipientFault: string | null };

async function confirmAndShow(ctx: Context, { partnerId, by }: SignedCaller, id: string, body: ConfirmInput) {
  const confirmed = await confirmSettlement(ctx, {
    partnerId,
    by,
    id,
    externalTxId: body.external_tx_id,
    callbackUrl: body.callback_url ?? null,
    expectedDestinationAmount: body.expected_destination_amount ?? null,
    screening: body.screening,
    recipientFault: body.recipientFault,
  });
  // The request's trace becomes a part of the settlement's.
  joinTrace(confirmed.settlement.trace, "settlement.confirm");
  // The answer is rendered before the commit; undelivered callbacks are read where there are any.
  return await showOne(ctx, confirmed);
}

async function cancel(ctx: Context, { partnerId, by }: SignedCaller, id: string) {
  const cancelled = await cancelSettlement(ctx, { partnerId, by, id });
  joinTrace(cancelled.settlement.trace, "settlement.cancel");
  return await showOne(ctx, cancelled);
}

function refuseOtherId(inPath: string, inBody: string | undefined): void {
  if (inBody === undefined || inBody === inPath) return;
  throw invalid({ pointer: "/tx_id", code: "mismatch", message: "must be the tx_id of the path" });
}

function readListQuery(ctx: Uses<"chains">, partnerId: string, query: ListQuery): ListSettlements {
  if (query.chain !== undefined && ctx.chains.find(query.chain) === null) {
    throw invalid({ parameter: "chain", code: "unknown_chain", message: "must be a chain of this service" });
  }
  const position = readCursor(query.cursor, { isOwn: (id) => isId("settlement", id), where: { parameter: "cursor" } });
  const filter = {
    partnerId,
    ...(query.status && { status: query.status }),
    ...(query.statuses && { statuses: SETTLEMENT_STATUSES.filter((status) => query.statuses?.split(",").includes(status)) }),
    ...(query.approval_state && { approvalState: query.approval_state }),
    ...(query.batch_id && { batchId: query.batch_id }),
    ...(query.external_tx_id && { externalTxId: query.external_tx_id }),
    ...(query.external_merchant_id && { externalMerchantId: query.external_merchant_id }),
    ...(query.chain && { chain: query.chain }),
    ...(query.wallet_address && { walletAddress: query.wallet_address }),
    ...(query.tx_hash && { txHash: query.tx_hash }),
    ...(query.updated_from && { updatedFrom: query.updated_from }),
    ...(query.updated_to && { updatedTo: query.updated_to }),
    ...(query.created_from && { createdFrom: query.created_from }),
    ...(query.created_to && { createdTo: query.created_to }),
  };
  return { filter, limit: query.limit ?? DEFAULT_LIMIT, position, direction: "older" };
}

function invalid(fault: Fault): Refusal {
  return new Refusal("validation_failed", { errors: [fault] });
}
