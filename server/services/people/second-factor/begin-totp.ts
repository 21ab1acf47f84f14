import { randomBytes } from "node:crypto";
import { lockUser, updateUser } from "#db/queries/people/users.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { base32, totpLink } from "#domain/totp.ts";
import type { Uses } from "#server/context.ts";

const SECRET_BYTES = 20;

/**
 * A new secret for the person's authenticator app, told this once; nothing asks for its codes until {@link confirmTotp}, and one that
 * is in force stays so until then. Beginning anew forgets the one that was begun before.
 *
 * @throws Refusal `step_up_required`.
 */
export async function beginTotp(
  ctx: Uses<"db" | "clock" | "vault">,
  { by, issuer }: { by: By & { actor: Person }; issuer: string },
): Promise<{ secret: string; link: string }> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId } = by.actor;
  const secret = randomBytes(SECRET_BYTES);
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw new Refusal("invalid_token");
    await updateUser(tx, userId, { sealedTotpDraft: ctx.vault.seal(secret.toString("base64")) });
    return { secret: base32(secret), link: totpLink(secret, issuer, user.email) };
  });
}
