import type { z } from "zod";
import type { withdrawCreateSchema } from "#contract/partner/fiat.ts";
import { renderPool, renderTopup, renderTopupPreview, renderWithdrawal, renderWithdrawalPreview } from "#contract/partner/fiat-answers.ts";
import {
  getWithdrawFiatPoolInfoOperation,
  topupFiatCallbackOperation,
  topupFiatCancelOperation,
  topupFiatOperation,
  topupFiatPreviewOperation,
  topupFiatStatusOperation,
  withdrawFiatCallbackOperation,
  withdrawFiatCancelOperation,
  withdrawFiatForMemberOperation,
  withdrawFiatOperation,
  withdrawFiatPreviewOperation,
  withdrawFiatStatusOperation,
} from "#contract/partner/fiat-operations.ts";
import { toInside } from "#contract/wire.ts";
import { joinTrace, tracePlace } from "#server/observe/trace.ts";
import { checkCallbackUrl } from "#server/services/callbacks/callback-target.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { cancelTopup, cancelWithdrawal } from "#server/services/fiat/cancel-orders.ts";
import { type DrawnUpWithdrawal, drawUpWithdrawal, type RequestWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import { previewTopup, previewWithdrawal } from "#server/services/fiat/preview-orders.ts";
import { readPayoutWait, readTopup, readWithdrawal } from "#server/services/fiat/read-orders.ts";
import { requestTopup } from "#server/services/fiat/request-topup.ts";
import { requestWithdrawal } from "#server/services/fiat/request-withdrawal.ts";
import { readPools } from "#server/services/ledger/read-books.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";
import { type PartnerCaller, tenantOf } from "./callers.ts";

/** Fiat in and out (contract, part 6). */

const REPEATED = { status: 200 } as const;

export const FIAT: readonly Binding[] = [
  bindAfter(
    withdrawFiatOperation,
    (ctx, call) => drawUp(ctx, toRequest(call, null)),
    async (ctx, call, drawn) => {
      const { withdrawal, repeated } = await requestWithdrawal(ctx, toRequest(call, null), async () => drawn);
      return { body: renderWithdrawal(withdrawal, { wait: await readPayoutWait(ctx, withdrawal) }), ...(repeated ? REPEATED : {}) };
    },
  ),
  bindAfter(
    withdrawFiatForMemberOperation,
    (ctx, call) => drawUp(ctx, toRequest(call, call.body.external_user_id)),
    async (ctx, call, drawn) => {
      const { external_user_id } = call.body;
      const { withdrawal, repeated } = await requestWithdrawal(ctx, toRequest(call, external_user_id), async () => drawn);
      const wait = await readPayoutWait(ctx, withdrawal);
      return { body: { ...renderWithdrawal(withdrawal, { wait }), external_user_id }, ...(repeated ? REPEATED : {}) };
    },
  ),
  bind(getWithdrawFiatPoolInfoOperation, async (ctx) => ({ body: (await readPools(ctx)).map(renderPool) })),
  bind(withdrawFiatPreviewOperation, async (ctx, { query, partnerId }) => {
    const { amount, ...asked } = toInside(query);
    return { body: renderWithdrawalPreview(await previewWithdrawal(ctx, { ...asked, partnerId, amountMinor: BigInt(amount) })) };
  }),
  bind(topupFiatPreviewOperation, async (ctx, { query, partnerId }) => {
    const { amount, ...asked } = toInside(query);
    return { body: renderTopupPreview(await previewTopup(ctx, { ...asked, partnerId, amountMinor: BigInt(amount) })) };
  }),
  bind(withdrawFiatStatusOperation, async (ctx, { params, ...caller }) => {
    const withdrawal = await readWithdrawal(ctx, { ...tenantOf(caller), id: params.id });
    return { body: renderWithdrawal(withdrawal, { wait: await readPayoutWait(ctx, withdrawal) }) };
  }),
  bind(withdrawFiatCancelOperation, async (ctx, { params, partnerId, by }) => ({
    body: renderWithdrawal(await cancelWithdrawal(ctx, { id: params.id, partnerId, by })),
  })),
  bind(topupFiatCancelOperation, async (ctx, { params, partnerId, by }) => ({
    body: renderTopup(await cancelTopup(ctx, { id: params.id, partnerId, by })),
  })),
  bindAfter(
    topupFiatOperation,
    async (ctx, { body }) => {
      if (body.callback_url !== undefined) await checkCallbackUrl(ctx, body.callback_url, "/callback_url");
    },
    async (ctx, { partnerId, apiKeyId, by, body }) => {
      const { amount, ...asked } = toInside(body);
      const order = { callbackUrl: null, ...asked, amountMinor: BigInt(amount), trace: tracePlace() };
      const { topup, repeated } = await requestTopup(ctx, { partnerId, apiKeyId, by, ...order });
      return { body: renderTopup(topup), ...(repeated ? REPEATED : {}) };
    },
  ),
  bind(topupFiatStatusOperation, async (ctx, { params, ...caller }) => ({
    body: renderTopup(await readTopup(ctx, { ...tenantOf(caller), id: params.id })),
  })),
  bind(withdrawFiatCallbackOperation, async (ctx, call) => await take(ctx, "withdrawal", call)),
  bind(topupFiatCallbackOperation, async (ctx, call) => await take(ctx, "topup", call)),
];

type Powers = Parameters<typeof takeProviderEvent>[0];
type ProviderReport = { order_id: string; reference: string; status: "succeeded" | "failed"; reason?: string | null | undefined };
type ProviderCall = { name: string; body: ProviderReport; bytes: Uint8Array };

async function take(
  ctx: Powers,
  kind: "withdrawal" | "topup",
  { name, body: reported, bytes }: ProviderCall,
): Promise<{ body: { received: true } }> {
  const word = { status: reported.status, reference: reported.reference, reason: reported.reason ?? null };
  const body = Buffer.from(bytes).toString("utf8");
  const { trace } = await takeProviderEvent(ctx, { provider: name, kind, orderId: reported.order_id, word, body });
  joinTrace(trace, "provider.callback");
  return { body: { received: true } };
}

type DrawingPowers = Parameters<typeof drawUpWithdrawal>[0] & Parameters<typeof checkCallbackUrl>[0];

/** The result of network calls, for the operation itself, which may run within a transaction. */
async function drawUp(ctx: DrawingPowers, request: RequestWithdrawal): Promise<DrawnUpWithdrawal> {
  if (request.callbackUrl !== null) await checkCallbackUrl(ctx, request.callbackUrl, "/callback_url");
  return await drawUpWithdrawal(ctx, request);
}

type WithdrawCall = PartnerCaller & { body: z.output<typeof withdrawCreateSchema> };

function toRequest({ partnerId, apiKeyId, by, body }: WithdrawCall, externalUserId: string | null): RequestWithdrawal {
  const { amount, ...asked } = toInside(body);
  return { callbackUrl: null, ...asked, partnerId, apiKeyId, by, externalUserId, amountMinor: BigInt(amount), trace: tracePlace() };
}
