import { renderCallback } from "#contract/settlement/v1/callbacks.ts";
import { attemptCallbackOperation, listCallbacksOperation, resendCallbackOperation } from "#contract/settlement/v1/operations.ts";
import { askAttempt } from "#server/services/callbacks/ask-attempt.ts";
import { checkResend, resendCallback } from "#server/services/callbacks/resend-callback.ts";
import { listCallbacks } from "#server/services/settlements/list-settlement-callbacks.ts";
import { readSettlement } from "#server/services/settlements/read-settlement.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";

/** What a partner may see and do about its callbacks (contract, parts 2, 4 and 9). */

export const CALLBACKS: readonly Binding[] = [
  bind(listCallbacksOperation, async (ctx, { params, partnerId }) => {
    const callbacks = await listCallbacks(ctx, { partnerId, settlementId: params.tx_id });
    return { body: { data: callbacks.map(renderCallback) } };
  }),
  bindAfter(
    resendCallbackOperation,
    (ctx, { params, partnerId, by }) => checkResend(ctx, { partnerId, by, settlementId: params.tx_id, callbackId: params.callback_id }),
    async (ctx, { params, partnerId, by }) => {
      const callback = await resendCallback(ctx, { partnerId, by, settlementId: params.tx_id, callbackId: params.callback_id });
      return { body: renderCallback(callback) };
    },
  ),
  bind(attemptCallbackOperation, async (ctx, { params, partnerId, by }) => {
    await readSettlement(ctx, { partnerId, id: params.tx_id });
    const callback = await askAttempt(ctx, { partnerId, by, subjectId: params.tx_id, callbackId: params.callback_id });
    return { body: renderCallback(callback) };
  }),
];
