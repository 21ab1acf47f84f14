import { findCallbackSigning } from "#db/queries/callbacks/callback-signing.ts";
import { ATTEMPT_TIMEOUT_MS } from "#domain/callback.ts";
import type { CallbackKeys } from "#domain/callback-key.ts";
import type { PartnerEvent } from "#domain/event.ts";
import { EVENT_TYPE_NAMES, objectOf } from "#domain/event.ts";
import { type EventDestination, typesOfAll } from "#domain/event-destination.ts";
import { newSampleId } from "#domain/ids.ts";
import { destinationSecretOf, secretOfKey } from "#domain/sealed-place.ts";
import { signingKey, webhookKey } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";
import { signAttempt } from "#server/services/callbacks/sign-attempt.ts";
import { eventBody } from "#server/services/events/event-of.ts";

export type SendingPowers = Uses<"db" | "clock" | "vault" | "callbacks" | "log">;

/** `brand`: replaces `Service` in the header names of the request signature. `signPublicly` null: there is no private key. */
export type SendingSettings = { brand: string; signPublicly: CallbackKeys["sign"] };

/** Sends one event, once. Answers why it did not arrive; null: it did. It never throws. */
export type SendEvent = (event: PartnerEvent, signal: AbortSignal) => Promise<string | null>;

/**
 * What sends events to a destination, with its secrets opened once for many. Each request is signed as a callback's is (contract, part 4):
 * under the destination's own secret, and under the API secret of the key that created it or of the partner's newest.
 */
export async function openSender(
  ctx: SendingPowers,
  destination: EventDestination,
  { brand, signPublicly }: SendingSettings,
): Promise<SendEvent> {
  const { id: destinationId, partnerId, url } = destination;
  const signing = await findCallbackSigning(ctx.db, destination.apiKeyId, ctx.clock.now());
  if (signing === undefined) throw new Error(`the key of the destination ${destinationId} is gone`);
  const webhookSecrets = [webhookKey(ctx.vault.open(destination.sealedSecret, destinationSecretOf(destinationId)))];
  const apiSecret = signingKey(ctx.vault.open(signing.apiSecret, secretOfKey(signing.signerId)));
  const sign = signPublicly === null ? null : (...args: [string, number, Uint8Array]) => signPublicly(partnerId, ...args);
  return async (event, signal) => {
    const body = eventBody(event);
    const headers = signAttempt({ id: event.id, url, body, now: ctx.clock.now(), webhookSecrets, apiSecret, brand, signPublicly: sign });
    const { trouble, status } = await ctx.callbacks.send({ url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal });
    ctx.log.info(
      { destination_id: destinationId, partner_id: partnerId, event_id: event.id, outcome: trouble?.kind ?? "delivered", status },
      "event sent",
    );
    return trouble?.message ?? null;
  };
}

/** An event that has not happened: its id and its object's have zeros where every other has its time. */
export function sampleEvent({ types }: EventDestination, now: Date): PartnerEvent {
  const [type = EVENT_TYPE_NAMES[0]] = typesOfAll(types) ?? EVENT_TYPE_NAMES;
  const objectType = objectOf(type);
  const objectId = newSampleId(objectType === "member" ? "event" : objectType);
  return { id: newSampleId("event"), type, createdAt: now, objectType, objectId, version: 1, data: {} };
}
