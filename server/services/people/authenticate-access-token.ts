import { findTokenHolder, type TokenHolder } from "#db/queries/access-tokens.ts";
import type { Uses } from "#server/context.ts";
import { accessTokenHash, hasTokenForm } from "#server/domain/access-token.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { mustEnrol } from "#server/domain/session.ts";

/**
 * Whose access token it is, with the role that the person has at this moment. Real time.
 *
 * @throws Refusal `invalid_token` unless it is in force and its user may still sign in; `enrolment_required`.
 */
export async function authenticateAccessToken(ctx: Uses<"db" | "clock" | "entryRules">, token: string): Promise<TokenHolder> {
  const holder = hasTokenForm(token) ? await findTokenHolder(ctx.db, accessTokenHash(token), ctx.clock.now()) : null;
  if (holder === null || holder.partnerId !== null) throw new Refusal("invalid_token");
  if (mustEnrol(holder, ctx.entryRules)) throw new Refusal("enrolment_required");
  return holder;
}
