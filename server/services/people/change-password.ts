import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { findUser, lockUser, updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { guardTries } from "#server/services/access/guard-tries.ts";
import { triesAt } from "#server/services/people/sessions/authenticate-person.ts";
import { hashNewPassword } from "./hash-new-password.ts";

export type ChangePassword = {
  by: By & { actor: Person };
  sessionId: string;
  address: string;
  currentPassword: string;
  newPassword: string;
};

/**
 * Another password. All of the person's other sessions and access tokens end at once: whoever knew the old one is out. Wrong tries at
 * the current one count as at the sign-in.
 *
 * @throws Refusal `rate_limited`, `validation_failed` for a wrong current or an easily guessed new password.
 */
export async function changePassword(ctx: Uses<"db" | "clock" | "passwords">, command: ChangePassword): Promise<void> {
  const { by, sessionId, address, currentPassword, newPassword } = command;
  const { userId, partnerId } = by.actor;
  const user = await findUser(ctx.db, userId);
  if (user === null) throw new Refusal("invalid_token");
  await guardTries(ctx, [triesAt(user.email, address)], async () => {
    if (await ctx.passwords.verify(user.passwordHash, currentPassword)) return;
    const message = "is not your current password";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/current_password", code: "wrong_password", message }] });
  });
  const passwordHash = await hashNewPassword(ctx, newPassword, [user.email, user.name], "/new_password");
  await ctx.db.transaction(async (tx) => {
    const locked = await lockUser(tx, userId);
    // Changed meanwhile: what was proven is not the current password any more.
    if (locked?.passwordHash !== user.passwordHash) throw new Refusal("conflict", { detail: "The password has just been changed." });
    await updateUser(tx, userId, { passwordHash });
    const ended = await revokeSessionsOf(tx, userId, { sessionId }, ctx.clock.now());
    await revokeTokensOf(tx, userId, ctx.clock.now());
    const change = { other_sessions_ended: ended };
    await insertAuditEntry(tx, {
      by,
      partnerId,
      action: "user.password_changed",
      objectId: userId,
      change,
      now: await readBusinessNow(tx),
    });
  });
}
