import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import { CLOCK_SKEW_SECONDS, type ProviderClient, SIGNATURES, type SignOutOrder } from "#domain/identity-provider.ts";
import { isStorable } from "#domain/storable-text.ts";
import { Rejected } from "#server/ports.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** An order must come at once. */
const OLDEST_SECONDS = 120;

const text = z.string().min(1).refine(isStorable, { error: "the order has a character that cannot be kept" });
const Order = z.object({
  iat: z.number(),
  exp: z.number().max(253_402_300_799).optional(),
  jti: text.max(255),
  sub: text.max(255).optional(),
  sid: text.max(512).optional(),
  events: z.record(z.string(), z.unknown()),
  nonce: z.undefined({ error: "the order carries a nonce" }).optional(),
});

type Asked = { client: ProviderClient; token: string; keys: unknown; now: Date };

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). @throws Error that says what is wrong with it */
export async function readSignOutToken({ client, token, keys, now }: Asked): Promise<SignOutOrder> {
  const { createLocalJWKSet, jwtVerify } = await import("jose");
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys as JSONWebKeySet), {
    issuer: client.issuer,
    audience: client.clientId,
    algorithms: SIGNATURES,
    clockTolerance: CLOCK_SKEW_SECONDS,
    currentDate: now,
  });
  // An ID token of the same provider must not do.
  const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, "");
  if (type !== undefined && type !== "logout+jwt") throw new Rejected("the token is no order to sign out");
  const read = Order.safeParse(payload);
  if (!read.success) throw new Rejected(read.error.issues[0]?.message ?? "the order cannot be read");
  const { iat, exp, jti, sub = null, sid = null, events } = read.data;
  const nowSeconds = now.getTime() / 1_000;
  if (events[EVENT] === undefined) throw new Rejected("the token does not order a sign-out");
  if (sub === null && sid === null) throw new Rejected("the order names nobody");
  if (Math.abs(nowSeconds - iat) > OLDEST_SECONDS + CLOCK_SKEW_SECONDS) throw new Rejected("the order is not of this moment");
  const last = Math.max(exp ?? 0, iat + OLDEST_SECONDS) + 2 * CLOCK_SKEW_SECONDS;
  return { jti, subject: sub, sid, expiresAt: new Date(last * 1_000) };
}
