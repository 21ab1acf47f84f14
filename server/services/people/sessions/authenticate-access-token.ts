import { findTokenHolder, type TokenHolder } from "#db/queries/people/access-tokens.ts";
import { accessTokenHash, hasTokenForm } from "#domain/access-token.ts";
import { Refusal } from "#domain/refusal.ts";
import { mustEnrol } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";

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
