import { findCallbackSigning } from "#db/queries/callbacks/callback-signing.ts";
import { ATTEMPT_TIMEOUT_MS } from "#domain/callback.ts";
import type { CallbackKeys } from "#domain/callback-key.ts";
import { EVENT_TYPE_NAMES, objectOf, type PartnerEvent } from "#domain/event.ts";
import { type BrokerLink, type BrokerType, type EventDestination, typesOfAll } from "#domain/event-destination.ts";
import { newSampleId } from "#domain/ids.ts";
import { destinationSecretOf, destinationUrlOf, secretOfKey } from "#domain/sealed-place.ts";
import { signingKey, webhookKey, webhookSignature } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";
import { signAttempt } from "#server/services/callbacks/sign-attempt.ts";
import { eventBody } from "#server/services/events/event-of.ts";

export type SendingPowers = Uses<"db" | "clock" | "vault" | "callbacks" | "brokers" | "log">;

/** `brand`: replaces `Service` in the header names of the request signature. `signPublicly` null: there is no private key. */
export type SendingSettings = { brand: string; signPublicly: CallbackKeys["sign"] };

/** `send`: sends one event, once; answers why it did not arrive, null: it did. `close`: at the end. */
export type EventSender = { send(event: PartnerEvent, signal: AbortSignal): Promise<string | null>; close(): Promise<void> };

/** What sends events to a destination, with its secrets opened once for many. */
export async function openSender(ctx: SendingPowers, destination: EventDestination, settings: SendingSettings): Promise<EventSender> {
  const secret = webhookKey(ctx.vault.open(destination.sealedSecret, destinationSecretOf(destination.id)));
  const { type } = destination;
  return type === "webhook" ? await webhookSender(ctx, destination, { ...settings, secret }) : brokerSender(ctx, destination, type, secret);
}

type Secret = ReturnType<typeof webhookKey>;

/**
 * Each request is signed as a callback's is (contract, part 4): under the destination's own secret, and under the API secret of the key
 * that created it or of the partner's newest.
 */
async function webhookSender(
  ctx: SendingPowers,
  { id: destinationId, partnerId, apiKeyId, url }: EventDestination,
  { brand, signPublicly, secret }: SendingSettings & { secret: Secret },
): Promise<EventSender> {
  const signing = await findCallbackSigning(ctx.db, apiKeyId, ctx.clock.now());
  if (signing === undefined) throw new Error(`the key of the destination ${destinationId} is gone`);
  const apiSecret = signingKey(ctx.vault.open(signing.apiSecret, secretOfKey(signing.signerId)));
  const sign = signPublicly === null ? null : (...args: [string, number, Uint8Array]) => signPublicly(partnerId, ...args);
  return {
    async send(event, signal) {
      const body = eventBody(event);
      const signed = { id: event.id, url, body, now: ctx.clock.now(), webhookSecrets: [secret], apiSecret, brand, signPublicly: sign };
      const { trouble } = await ctx.callbacks.send({ url, headers: signAttempt(signed), body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal });
      return trouble?.message ?? null;
    },
    close: async () => {},
  };
}

/** One connection for a page, opened with its first event. Messages carry the signature of Standard Webhooks. */
function brokerSender(ctx: SendingPowers, destination: EventDestination, type: BrokerType, secret: Secret): EventSender {
  const { id, url, sealedUrl } = destination;
  let opening: Promise<BrokerLink | string> | null = null;
  return {
    async send(event) {
      opening ??= ctx.brokers.open(type, sealedUrl === null ? url : ctx.vault.open(sealedUrl, destinationUrlOf(id)));
      const link = await opening;
      if (typeof link === "string") return link;
      const body = eventBody(event);
      const seconds = Math.floor(ctx.clock.now().getTime() / 1_000);
      const signature = webhookSignature(secret, event.id, seconds, body);
      const headers = { "webhook-id": event.id, "webhook-timestamp": String(seconds), "webhook-signature": signature };
      return await link.send({ id: event.id, type: event.type, body, headers });
    },
    async close() {
      const link = await opening;
      if (link !== null && typeof link !== "string") await link.close();
    },
  };
}

/** An event that has not happened: its id and its object's have zeros where every other has its time. */
export function sampleEvent({ types }: EventDestination, now: Date): PartnerEvent {
  const [type = EVENT_TYPE_NAMES[0]] = typesOfAll(types) ?? EVENT_TYPE_NAMES;
  const objectType = objectOf(type);
  const objectId = newSampleId(objectType === "member" ? "event" : objectType);
  return { id: newSampleId("event"), type, createdAt: now, objectType, objectId, version: 1, data: {} };
}
