import { findNewestKeyOf } from "#db/queries/callbacks/callback-signing.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { readActivePartner } from "#server/services/partners/read-partners.ts";

/**
 * The key whose secret signs the callbacks of requests from the console: the partner's newest, as for a revoked key.
 *
 * @throws Refusal `not_found`, `partner_suspended`, `conflict` where the partner has no key at all
 */
export async function chooseSigningKey(ctx: Uses<"db" | "clock">, partnerId: string): Promise<string> {
  const { id } = await readActivePartner(ctx, partnerId);
  const key = await findNewestKeyOf(ctx.db, id, ctx.clock.now());
  if (key !== null) return key;
  throw new Refusal("conflict", { detail: "There is no API key yet to sign the callback with. Create one first." });
}

/**
 * Checks a partner's callback URL (contract, parts 4 and 9) with the same guard as every attempt. It uses DNS: call it outside of
 * transactions. `pointer`: the URL's place in the request, for example `/callback_url`.
 *
 * @throws Refusal `validation_failed` for a wrong form, `callback_url_not_allowed` for a forbidden host.
 */
export async function checkCallbackUrl(ctx: Uses<"callbacks">, url: string, pointer: string): Promise<void> {
  const judgement = await ctx.callbacks.judge(url);
  if (judgement.verdict === "allowed") return;
  if (judgement.verdict === "malformed") {
    throw new Refusal("validation_failed", { errors: [{ pointer, code: "invalid_url", message: judgement.reason }] });
  }
  throw new Refusal("callback_url_not_allowed", {
    detail: judgement.reason,
    errors: [{ pointer, code: "callback_url_not_allowed", message: judgement.reason }],
  });
}
