import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Delivery } from "./receiver.ts";
import { BRAND, signatureOf } from "./signing.ts";

const TOLERANCE_SECONDS = 300;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export type CallbackSecrets = { callback_secret: string; api_secret: string };

/**
 * Verifies a callback like a partner: the `standardwebhooks` library checks one signature, the partner's own signing code the request
 * signature, both over the exact bytes. Returns the parsed body.
 *
 * @throws Error when either is invalid.
 */
export function verifyCallback(delivery: Delivery, { callback_secret, api_secret }: CallbackSecrets): unknown {
  verifyStandard(delivery, callback_secret);
  verifyMirrored(delivery, api_secret);
  return JSON.parse(delivery.body.toString("utf8"));
}

function verifyStandard(delivery: Delivery, secret: string): void {
  new Webhook(secret).verify(delivery.body, {
    "webhook-id": header(delivery, "webhook-id"),
    "webhook-timestamp": header(delivery, "webhook-timestamp"),
    "webhook-signature": header(delivery, "webhook-signature"),
  });
}

function verifyMirrored(delivery: Delivery, secret: string): void {
  const timestamp = header(delivery, `x-${BRAND}-timestamp`);
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new Error(`the mirrored timestamp ${timestamp} is stale`);
  }
  if (!UUID_V4.test(header(delivery, `x-${BRAND}-nonce`))) throw new Error("the mirrored nonce is not a UUIDv4");
  const { method, target, body } = delivery;
  const expected = Buffer.from(signatureOf(secret, { timestamp, method, target, body }));
  const received = Buffer.from(header(delivery, `x-${BRAND}-signature`));
  if (expected.length !== received.length || !timingSafeEqual(expected, received)) throw new Error("the mirrored signature does not match");
}

function header(delivery: Delivery, name: string): string {
  const value = delivery.headers[name.toLowerCase()];
  if (typeof value !== "string" || value === "") throw new Error(`the callback has no ${name} header`);
  return value;
}
