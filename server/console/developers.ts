import { z } from "zod";
import { renderLastUses } from "#contract/partner/access.ts";
import { addressOrRange, instant, instantOrNull, instantParameter, plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { mayAsOperator, mayAsPartner, OPERATOR_SCOPES, OVERLAPS_SECONDS, SCOPES } from "#domain/access.ts";
import type { KeyMode } from "#domain/api-key.ts";
import { CALLBACK_EVENTS } from "#domain/callback.ts";
import type { KeyEffect } from "#domain/key-effect.ts";
import { Refusal } from "#domain/refusal.ts";
import { actorOf, type ConsoleSettings } from "#server/console/trpc/context.ts";
import { partnerProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { listApiKeys } from "#server/services/access/list-api-keys.ts";
import { readCallbackSecret } from "#server/services/access/read-callback-secret.ts";
import { previewRevocation, revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { rotateApiKey } from "#server/services/access/rotate-api-key.ts";
import { rotateCallbackSecret } from "#server/services/access/rotate-callback-secret.ts";
import { tryRevocation, tryRights } from "#server/services/access/try-key.ts";
import { certifyReceiver } from "#server/services/callbacks/certify-receiver.ts";
import { readNewestCallbackUrl, type SentSample, sendSample } from "#server/services/callbacks/send-sample.ts";
import { readGoLive } from "#server/services/partners/read-go-live.ts";
import { readPartner } from "#server/services/partners/read-partners.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { renderAttempt } from "./callback-rows.ts";
import { scopeOf } from "./key-scopes.ts";

/** Left out: the asker's own partner's; null: the operator's. */
const holder = z.uuid().nullable().optional();
const overlap_seconds = z.union(OVERLAPS_SECONDS.map((seconds) => z.literal(seconds)));
const rights = {
  partner_id: holder,
  scopes: z
    .array(z.enum([...SCOPES, ...OPERATOR_SCOPES]))
    .min(1)
    .max(SCOPES.length),
  allowed_ips: z.array(addressOrRange).max(100),
};
const keyRights = fromWire(rights);
const newKey = fromWire({
  ...rights,
  name: plainText(1, 128),
  expires_at: instantParameter.nullable(),
  signed_management: z.union([z.boolean(), z.literal("all")]).optional(),
});

/** Nobody reads more at once; the rest is a count. */
const SHOWN = 100;

/** Keys and callback secrets: a partner's for its people, everybody's for the operator's. Secrets are answered the one time. */
export const developersRouter = router({
  keys: personProcedure
    .input(fromWire({ partner_id: holder, ended: z.boolean().default(false) }))
    .query(async ({ ctx: { services, holder, settings }, input }) => {
      const partnerId = holderOf(holder, input.partnerId);
      if (partnerId !== null) await readPartner(services, partnerId);
      const { items, total } = await listApiKeys(services, { partnerId, ended: input.ended, skip: 0, limit: SHOWN });
      const now = instant(services.clock.now());
      return { data: items.map(renderKey), total, may_change: mayManageKeys(holder), mode: modeOf(settings), now };
    }),

  createKey: personProcedure.input(newKey).mutation(async ({ ctx, input }) => {
    const { services, holder, settings, by } = ctx;
    const partnerId = holderOf(holder, input.partnerId);
    refuseUnlessKeeper(holder);
    const { signedManagement, ...given } = input;
    const signing = signedManagement === undefined ? {} : { signedManagement };
    const created = await createApiKey(services, { ...given, ...signing, by, mode: modeOf(settings), partnerId });
    return { ...issued(created, settings), proposal_id: created.proposalId };
  }),

  rotateKey: personProcedure.input(fromWire({ id: z.uuid(), overlap_seconds })).mutation(async ({ ctx, input }) => {
    const { services, holder, settings, by } = ctx;
    refuseUnlessKeeper(holder);
    const key = await rotateApiKey(services, { by, mode: modeOf(settings), ...input, ...tenantOf(holder) });
    return { ...issued(key, settings), proposal_id: null };
  }),

  /** What would end with a key: it, and all that was rotated from it or made with it. */
  revocation: personProcedure.input(fromWire({ id: z.uuid() })).query(async ({ ctx: { services, holder }, input }) => {
    return (await previewRevocation(services, { ...input, ...tenantOf(holder) })).map(renderKey);
  }),

  /** Dry runs, from the log of requests: what would have been refused in the last 30 days. */
  tryRevocation: personProcedure.input(fromWire({ id: z.uuid() })).query(async ({ ctx: { services, holder }, input }) => {
    return renderEffect(await tryRevocation(services, { ...input, ...tenantOf(holder) }));
  }),

  tryRights: personProcedure.input(keyRights).query(async ({ ctx: { services, holder }, input }) => {
    const partnerId = holderOf(holder, input.partnerId);
    const { scopes, allowedIps } = input;
    return renderEffect(
      await tryRights(services, { partnerId, scopes, allowedIps, scopeOf: scopeOf(partnerId === null ? "operator" : "partner") }),
    );
  }),

  revokeKey: personProcedure.input(fromWire({ id: z.uuid() })).mutation(async ({ ctx, input }) => {
    const { services, holder, by } = ctx;
    refuseUnlessKeeper(holder);
    return { ended: (await revokeApiKey(services, { by, ...input, ...tenantOf(holder) })).map(renderKey) };
  }),

  callbackSecret: personProcedure
    .input(fromWire({ partner_id: z.uuid().optional() }))
    .query(async ({ ctx: { services, holder }, input }) => {
      const state = await readCallbackSecret(services, partnerOf(holder, input.partnerId));
      return {
        ...toWire(state, "since", "previousUntil"),
        may_change: mayManageKeys(holder) && mayRotateSecret(services, holder),
        now: instant(services.clock.now()),
      };
    }),

  rotateCallbackSecret: personProcedure
    .input(fromWire({ partner_id: z.uuid().optional(), overlap_seconds }))
    .mutation(async ({ ctx, input }) => {
      const { services, holder, by } = ctx;
      const partnerId = partnerOf(holder, input.partnerId);
      refuseUnlessKeeper(holder);
      const { callbackSecret, previousExpiresAt } = await rotateCallbackSecret(services, { by, ...input, partnerId });
      return { callback_secret: callbackSecret, previous_until: instantOrNull(previousExpiresAt) };
    }),

  /** The checklist before live mode, with what is finished. */
  goLive: partnerProcedure("read").query(async ({ ctx: { services, holder } }) => {
    return await readGoLive(services, partnerOf(holder, undefined));
  }),

  /** The likely target of a sample. */
  newestCallbackUrl: partnerProcedure("resend_callback").query(async ({ ctx: { services, holder } }) => {
    return { url: await readNewestCallbackUrl(services, partnerOf(holder, undefined)) };
  }),

  /** Certifies a receiver with good and bad callbacks, and returns its answers. */
  certifyReceiver: partnerProcedure("resend_callback")
    .meta({ stepUp: false })
    .input(z.strictObject({ url: z.string().min(1).max(4_096) }))
    .mutation(async ({ ctx: { services, holder, by, settings, ending }, input }) => {
      const { passed, verdicts, untried } = await certifyReceiver(services, {
        ...input,
        partnerId: partnerOf(holder, undefined),
        by,
        brand: settings.brand,
        signal: ending,
      });
      return {
        passed,
        verdicts: verdicts.map(({ name, title, passed: held, reason }) => ({ name, title, passed: held, reason })),
        untried,
      };
    }),

  /** One callback about nothing, to whatever URL may be called: its form is the guard's to judge, as everywhere. */
  testCallback: partnerProcedure("resend_callback")
    .meta({ stepUp: false })
    .input(z.strictObject({ event: z.enum(CALLBACK_EVENTS), url: z.string().min(1).max(4_096) }))
    .mutation(async ({ ctx: { services, holder, by, settings, ending }, input }) => {
      const sample = { ...input, partnerId: partnerOf(holder, undefined), by, brand: settings.brand, signal: ending };
      return renderSample(await sendSample(services, sample));
    }),
});

/** Whose keys are meant: a partner's people name their own partner or none. @throws Refusal `not_found`. */
function holderOf(holder: SessionHolder, named: string | null | undefined): string | null {
  const { partnerId: own } = tenantOf(holder);
  if (own === undefined) return named ?? null;
  if (named !== undefined && named !== own) throw new Refusal("not_found");
  return own;
}

/** Callback secrets are a partner's: the operator's people say whose. @throws Refusal `not_found`. */
function partnerOf(holder: SessionHolder, named: string | undefined): string {
  const partnerId = holderOf(holder, named);
  if (partnerId === null) throw new Refusal("not_found");
  return partnerId;
}

function mayManageKeys(holder: SessionHolder): boolean {
  const actor = actorOf(holder);
  return holder.viewedBy === null && (mayAsPartner(actor, "manage_keys") || mayAsOperator(actor, "administer"));
}

/** In live mode a partner's callback secret is shown to its own people alone. */
function mayRotateSecret({ mode }: { mode: ConsoleSettings["mode"] }, { partnerId }: SessionHolder): boolean {
  return mode === "sandbox" || partnerId !== null;
}

/** @throws Refusal `forbidden`. */
function refuseUnlessKeeper(holder: SessionHolder): void {
  if (!mayManageKeys(holder)) throw new Refusal("forbidden", { detail: "Your role does not include this." });
}

/** Secrets that are shown only once, and the details for a first call. */
function issued(key: IssuedApiKey, { baseUrl, brand }: ConsoleSettings) {
  return { ...renderKey(key), api_key: key.apiKey, api_secret: key.apiSecret, base_url: baseUrl, brand };
}

/** A key as its users always see it, without secrets. Real time; `revoked_at` is in the future during a rotation's overlap. */
function renderKey(key: Omit<IssuedApiKey, "apiKey" | "apiSecret">) {
  return {
    ...toWire(key, "id", "name", "lastFour", "scopes", "allowedIps", "signedManagement", "rotatedFrom", "madeByKey"),
    ...toWire(key, "createdAt", "expiresAt", "revokedAt", "lastUsedAt", "lastUsedAddress"),
    last_uses: renderLastUses(key),
  };
}

function renderEffect({ operations, ...effect }: KeyEffect) {
  return { ...toWire(effect, "refused", "answered", "examined", "isSample"), operations };
}

/** A sample callback with its one attempt, in the shape of every other attempt. */
function renderSample({ id, event, url, body, attempt: { outcome, ...attempt } }: SentSample) {
  const { status: responseStatus, trouble } = outcome;
  const whole = {
    ...outcome,
    ...attempt,
    responseStatus,
    series: 1,
    number: 1,
    scheduledAt: attempt.sentAt,
    errorKind: trouble?.kind ?? null,
    error: trouble?.message ?? null,
  };
  return { id, event, callback_url: url, body, body_bytes: Buffer.byteLength(body), attempt: renderAttempt(whole) };
}

function modeOf({ mode }: ConsoleSettings): KeyMode {
  return mode === "live" ? "live" : "test";
}
