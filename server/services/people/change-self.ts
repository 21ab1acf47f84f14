import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { changeSecrets, readSecrets } from "#db/queries/people/person-secrets.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { findUser, lockUser, updateUser } from "#db/queries/people/users.ts";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { guardTries } from "#server/services/access/guard-tries.ts";
import { triesAt } from "#server/services/people/sessions/authenticate-person.ts";

/** What a person is called in the console and the audit log. */
export async function changeName(ctx: Uses<"db">, { by, name }: { by: ByPerson; name: string }): Promise<void> {
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw new Refusal("invalid_token");
    if (user.name === name) return;
    await updateUser(tx, userId, { name });
    const change = { name: { from: user.name, to: name } };
    await insertAuditEntry(tx, { by, partnerId, action: "user.renamed", objectId: userId, change });
  });
}

export type ChangePassword = {
  by: ByPerson;
  sessionId: string;
  address: string;
  currentPassword: string;
  newPassword: string;
};

/**
 * Another password. All of the person's other sessions and access tokens end at once: anyone who knew the old one is out. Wrong tries at
 * the current one count as at the sign-in.
 *
 * @throws Refusal `rate_limited`, `validation_failed` for a wrong current or an easily guessed new password.
 */
export async function changePassword(ctx: Uses<"db" | "clock" | "passwords">, command: ChangePassword): Promise<void> {
  const { by, sessionId, address, currentPassword, newPassword } = command;
  const { userId, partnerId } = by.actor;
  const user = await findUser(ctx.db, userId);
  const before = await readSecrets(ctx.db, userId);
  if (user === null || before === null) throw new Refusal("invalid_token");
  await guardTries(ctx, [triesAt(user.email, address)], async () => {
    if (await ctx.passwords.verify(before.passwordHash, currentPassword)) return;
    const message = "is not your current password";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/current_password", code: "wrong_password", message }] });
  });
  const passwordHash = await hashNewPassword(ctx, newPassword, [user.email, user.name], "/new_password");
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    // Changed meanwhile: the password that was proven is no longer the current one.
    if ((await readSecrets(tx, userId))?.passwordHash !== before.passwordHash)
      throw new Refusal("conflict", { detail: "The password has just been changed." });
    await changeSecrets(tx, userId, { passwordHash });
    const ended = await revokeSessionsOf(tx, userId, { sessionId }, ctx.clock.now());
    await revokeTokensOf(tx, userId, ctx.clock.now());
    const change = { other_sessions_ended: ended };
    await insertAuditEntry(tx, {
      by,
      partnerId,
      action: "user.password_changed",
      objectId: userId,
      change,
    });
  });
}

/**
 * A chosen password in its stored form. `about`: what an attacker knows about the person.
 *
 * @throws Refusal `validation_failed`, at `pointer`, for one that is easily guessed.
 */
export async function hashNewPassword(
  ctx: Uses<"passwords">,
  password: string,
  about: readonly string[],
  pointer: string,
): Promise<string> {
  const weakness = await ctx.passwords.weakness(password, about);
  if (weakness !== null) throw new Refusal("validation_failed", { errors: [{ pointer, code: "weak_password", message: weakness }] });
  return await ctx.passwords.hash(password);
}
