import { readIdCursor } from "#contract/cursor.ts";
import {
  attemptAnyCallbackOperation,
  getCallbackOperation,
  listAllCallbacksOperation,
  resendAnyCallbackOperation,
} from "#contract/settlement/v1/callback-operations.ts";
import { renderCallback, renderOwnCallback } from "#contract/settlement/v1/callbacks.ts";
import { attemptCallbackOperation, listCallbacksOperation, resendCallbackOperation } from "#contract/settlement/v1/operations.ts";
import { toInside } from "#contract/wire.ts";
import { askAttempt } from "#server/services/callbacks/ask-attempt.ts";
import { listOwnCallbacks, readOwnCallback, refuseUnlessMaySend } from "#server/services/callbacks/own-callbacks.ts";
import { checkResend, resendCallback } from "#server/services/callbacks/resend-callback.ts";
import { audiencesOf } from "#server/services/events/read-events.ts";
import { listCallbacks } from "#server/services/settlements/list-settlement-callbacks.ts";
import { readSettlement } from "#server/services/settlements/read-settlement.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";

/** What a partner may see and do about its callbacks (contract, parts 2, 4 and 9). */

const DEFAULT_LIMIT = 25;

export const CALLBACKS: readonly Binding[] = [
  bind(listAllCallbacksOperation, async (ctx, { query, partnerId, scopes }) => {
    const { limit = DEFAULT_LIMIT, cursor, object_id: subjectId, ...asked } = query;
    const filter = { partnerId, audiences: audiencesOf(scopes), ...toInside(asked), ...(subjectId !== undefined && { subjectId }) };
    const position = readIdCursor(cursor, "callback", { parameter: "cursor" });
    const page = await listOwnCallbacks(ctx, { filter, limit, position, direction: "older" });
    return { body: { data: page.items.map(renderOwnCallback), next_cursor: page.older } };
  }),
  bind(getCallbackOperation, async (ctx, { params, partnerId, scopes }) => ({
    body: renderOwnCallback(await readOwnCallback(ctx, { partnerId, scopes, callbackId: params.callback_id })),
  })),
  bindAfter(
    resendAnyCallbackOperation,
    async (ctx, { params, partnerId, by, scopes }) => {
      await refuseUnlessMaySend(ctx, { partnerId, scopes, callbackId: params.callback_id });
      await checkResend(ctx, { partnerId, by, callbackId: params.callback_id });
    },
    async (ctx, { params, partnerId, by }) => ({
      body: renderOwnCallback(await resendCallback(ctx, { partnerId, by, callbackId: params.callback_id })),
    }),
  ),
  bind(attemptAnyCallbackOperation, async (ctx, { params, partnerId, by, scopes }) => {
    await refuseUnlessMaySend(ctx, { partnerId, scopes, callbackId: params.callback_id });
    return { body: renderOwnCallback(await askAttempt(ctx, { partnerId, by, callbackId: params.callback_id })) };
  }),
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
