import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findCallbackSigning, type SealedSigning } from "#db/queries/callbacks/callback-signing.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { takeFromBudget } from "#db/queries/people/login-tries.ts";
import { findNewestCallbackUrl } from "#db/queries/settlements/settlements.ts";
import { type ByPerson, mayAsPartner, type Person } from "#domain/access.ts";
import type { CallbackEvent, CallbackOutcome } from "#domain/callback.ts";
import { newSampleId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { triesFor } from "#server/services/access/guard-tries.ts";
import { checkCallbackUrl, chooseSigningKey } from "./callback-target.ts";
import { sampleCallback } from "./sample-callback.ts";
import { sendAttempt } from "./send-attempt.ts";

export type SendSample = {
  partnerId: string;
  by: ByPerson;
  event: CallbackEvent;
  url: string;
  /** Replaces `Service` in the header names of the request signature. */
  brand: string;
  /** Calls it off: the process ends. */
  signal: AbortSignal;
};
export type SentSample = {
  id: string;
  event: CallbackEvent;
  url: string;
  body: string;
  attempt: { id: string; requestHeaders: Record<string, string>; outcome: CallbackOutcome; sentAt: Date; endedAt: Date };
};

/** The budget of samples of a partner, across all processes: a burst after a pause, then one per interval. */
const AT_ONCE = 10;
const EVERY_SECONDS = 6;

/**
 * Sends one sample callback, now and once, as every real attempt is sent. It stores only an audit entry that names the host. No transaction
 * is open while the receiver is called.
 *
 * @throws Refusal `forbidden` without the partner's permission to resend, `validation_failed` and `callback_url_not_allowed` as for every
 * URL, `partner_suspended`, `conflict` without a key or a callback secret to sign with, `rate_limited`, `temporarily_unavailable` when the
 * process ended meanwhile.
 */
export async function sendSample(
  ctx: Uses<"db" | "clock" | "vault" | "callbacks" | "callbackKeys" | "chains" | "log">,
  command: SendSample,
): Promise<SentSample> {
  const { partnerId, by, event, url, brand, signal } = command;
  refuseUnlessMayTest(by.actor, partnerId);
  await checkCallbackUrl(ctx, url, "/url");
  const signing = await readSigning(ctx, partnerId);
  const sentAt = await readBusinessNow(ctx.db);
  const { id, body } = sampleCallback({ event, url, now: sentAt, chain: ctx.chains.list()[0] });
  await admit(ctx, command, id, sentAt);
  const { headers, outcome } = await sendAttempt(ctx, {
    callback: { id, url, body },
    signing,
    brand,
    signal,
    signPublicly: ctx.callbackKeys.sign,
  });
  if (outcome.trouble?.kind === "aborted") throw new Refusal("temporarily_unavailable", { retryAfterSeconds: 5 });
  ctx.log.info(
    {
      callback_id: id,
      partner_id: partnerId,
      outcome: outcome.trouble?.kind ?? "delivered",
      status: outcome.status,
      duration_ms: outcome.durationMs,
    },
    "sample callback",
  );
  const endedAt = new Date(sentAt.getTime() + outcome.durationMs);
  const attempt = { id: newSampleId("attempt"), requestHeaders: outcome.requestHeaders ?? headers, outcome, sentAt, endedAt };
  return { id, event, url, body, attempt };
}

/** The URL of the partner's newest settlements; null: none of them has one. */
export async function readNewestCallbackUrl(ctx: Uses<"db">, partnerId: string): Promise<string | null> {
  return await findNewestCallbackUrl(ctx.db, partnerId);
}

/** @throws Refusal `forbidden` */
export function refuseUnlessMayTest(actor: Person, partnerId: string): void {
  if (actor.partnerId === partnerId && mayAsPartner(actor, "resend_callback")) return;
  throw new Refusal("forbidden", { detail: "Your role does not include this." });
}

/** What signs what the partner's own people send. @throws Refusal `conflict` without a key or a callback secret to sign with. */
export async function readSigning(ctx: Uses<"db" | "clock">, partnerId: string): Promise<SealedSigning> {
  const key = await chooseSigningKey(ctx, partnerId);
  const signing = await findCallbackSigning(ctx.db, key, ctx.clock.now());
  if (signing !== undefined && signing.webhookSecrets.length > 0) return signing;
  throw new Refusal("conflict", {
    detail: "There is no callback secret yet to sign the callback with. Rotate the secret once to create one.",
  });
}

/** Takes the test out of the partner's budget and records it, together or not at all. */
async function admit(ctx: Uses<"db" | "clock">, { partnerId, by, event, url }: SendSample, id: string, now: Date): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const waitMs = await takeFromBudget(tx, triesFor(`sample callbacks ${partnerId}`, AT_ONCE, EVERY_SECONDS), ctx.clock.now());
    if (waitMs !== null) throw tooMany(Math.max(1, Math.ceil(waitMs / 1_000)));
    const change = { event, host: new URL(url).host };
    await insertAuditEntry(tx, { by, partnerId, action: "callback.tested", objectId: id, change, now });
  });
}

function tooMany(retryAfterSeconds: number): Refusal {
  const wait = retryAfterSeconds === 1 ? "a second" : `${retryAfterSeconds} seconds`;
  const detail = `All of your people together send ${AT_ONCE} samples at once, then one every ${EVERY_SECONDS} seconds: the next in ${wait}.`;
  return new Refusal("rate_limited", { detail, retryAfterSeconds });
}
