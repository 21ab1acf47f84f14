import { renderSample, sampleInput } from "#contract/console/callback-tester.ts";
import { keyInput, keyRotation, keysOf, oneKey, renderKey, secretOf, secretRotation } from "#contract/console/developers.ts";
import { instant, instantOrNull } from "#contract/primitives.ts";
import { mayAsOperator, mayAsPartner } from "#domain/access.ts";
import type { KeyMode } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import { actorOf, type ConsoleSettings } from "#server/console/trpc/context.ts";
import { partnerProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { listApiKeys } from "#server/services/access/list-api-keys.ts";
import { readCallbackSecret } from "#server/services/access/read-callback-secret.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { rotateApiKey } from "#server/services/access/rotate-api-key.ts";
import { rotateCallbackSecret } from "#server/services/access/rotate-callback-secret.ts";
import { readNewestCallbackUrl, sendSample } from "#server/services/callbacks/send-sample.ts";
import { readPartner } from "#server/services/partners/read-partner.ts";
import type { SessionHolder } from "#server/services/people/sessions/authenticate-session.ts";

/** More of them nobody reads at once; the rest is told as a number. */
const SHOWN = 100;

/** Keys and callback secrets: a partner's for its people, everybody's for the operator's. Secrets are answered the one time. */
export const developersRouter = router({
  keys: personProcedure.input(keysOf).query(async ({ ctx: { services, holder, settings }, input }) => {
    const partnerId = holderOf(holder, input.partner_id);
    if (partnerId !== null) await readPartner(services, partnerId);
    const { items, total } = await listApiKeys(services, { partnerId, ended: input.ended, skip: 0, limit: SHOWN });
    const now = instant(services.clock.now());
    return { data: items.map(renderKey), total, may_change: mayManageKeys(holder), mode: modeOf(settings), now };
  }),

  createKey: personProcedure.input(keyInput).mutation(async ({ ctx: { services, holder, settings, by }, input }) => {
    const partnerId = holderOf(holder, input.partner_id);
    refuseUnlessKeeper(holder);
    const { name, scopes, allowed_ips: allowedIps, expires_at: expiresAt } = input;
    const key = { by, mode: modeOf(settings), partnerId, name, scopes, allowedIps, expiresAt };
    const created = await createApiKey(services, key);
    return { ...issued(created, settings), proposal_id: created.proposalId };
  }),

  rotateKey: personProcedure.input(keyRotation).mutation(async ({ ctx: { services, holder, settings, by }, input }) => {
    refuseUnlessKeeper(holder);
    const rotation = { by, mode: modeOf(settings), id: input.id, overlapSeconds: input.overlap_seconds };
    const key = await rotateApiKey(services, { ...rotation, ...tenantOf(holder) });
    return { ...issued(key, settings), proposal_id: null };
  }),

  revokeKey: personProcedure.input(oneKey).mutation(async ({ ctx: { services, holder, by }, input }) => {
    refuseUnlessKeeper(holder);
    await revokeApiKey(services, { by, id: input.id, ...tenantOf(holder) });
    return {};
  }),

  callbackSecret: personProcedure.input(secretOf).query(async ({ ctx: { services, holder }, input }) => {
    const { since, previousUntil } = await readCallbackSecret(services, partnerOf(holder, input.partner_id));
    return {
      since: instantOrNull(since),
      previous_until: instantOrNull(previousUntil),
      may_change: mayManageKeys(holder),
      now: instant(services.clock.now()),
    };
  }),

  rotateCallbackSecret: personProcedure.input(secretRotation).mutation(async ({ ctx: { services, holder, by }, input }) => {
    const partnerId = partnerOf(holder, input.partner_id);
    refuseUnlessKeeper(holder);
    const rotated = await rotateCallbackSecret(services, { by, partnerId, overlapSeconds: input.overlap_seconds });
    return { callback_secret: rotated.callbackSecret, previous_until: instantOrNull(rotated.previousExpiresAt) };
  }),

  /** Where a sample would most likely go. */
  newestCallbackUrl: partnerProcedure("resend_callback").query(async ({ ctx: { services, holder } }) => {
    return { url: await readNewestCallbackUrl(services, partnerOf(holder, undefined)) };
  }),

  /** One callback about nothing, to whatever URL may be called. */
  testCallback: partnerProcedure("resend_callback")
    .input(sampleInput)
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

/** @throws Refusal `forbidden`. */
function refuseUnlessKeeper(holder: SessionHolder): void {
  if (!mayManageKeys(holder)) throw new Refusal("forbidden", { detail: "Your role does not include this." });
}

/** What is told this once, and what a first use of it needs. */
function issued(key: IssuedApiKey, { baseUrl, brand }: ConsoleSettings) {
  return { ...renderKey(key), api_key: key.apiKey, api_secret: key.apiSecret, base_url: baseUrl, brand };
}

function modeOf({ mode }: ConsoleSettings): KeyMode {
  return mode === "live" ? "live" : "test";
}
