import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * Judges a callback URL that a partner gives (contract, parts 4 and 9), by the guard that every attempt passes again. It asks DNS:
 * call it outside of transactions. `pointer`: where the URL stood in the request, for example `/callback_url`.
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
