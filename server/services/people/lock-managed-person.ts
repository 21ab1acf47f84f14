import { lockManagers, lockUser, type UserRecord } from "#db/queries/people/users.ts";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

/**
 * Locks a user whom the actor may manage: an operator's admin manages everybody, a partner's owner its own users. It checks the actor's
 * permission under a lock on all managers, so if two exclude each other, the second is refused. Since nobody manages themselves, one
 * manager always remains.
 *
 * @throws Refusal `not_found` for an unknown user and for other partners' users, `forbidden` for oneself and without the permission,
 * `step_up_required`.
 */
export async function lockManagedPerson(ctx: Uses<"db" | "clock">, by: ByPerson, userId: string): Promise<UserRecord> {
  await refuseUnlessManager(ctx, by);
  const { actor } = by;
  const target = isUuid(userId) ? await lockUser(ctx.db, userId) : null;
  if (target === null || (actor.partnerId !== null && target.partnerId !== actor.partnerId)) throw new Refusal("not_found");
  if (target.id === actor.userId)
    throw new Refusal("forbidden", { detail: "You cannot change your own role or deactivate yourself. Another person must do it." });
  return target;
}

/**
 * No person's rights change before the transaction's end.
 *
 * @throws Refusal `forbidden` unless the actor may, at this moment, manage its side's people, `step_up_required` unless proven.
 */
export async function refuseUnlessManager(ctx: Uses<"db" | "clock">, by: ByPerson): Promise<void> {
  const { actor } = by;
  const managers = await lockManagers(ctx.db, actor.partnerId);
  if (!managers.has(actor.userId)) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  refuseUnlessProven(by, ctx.clock.now());
}
