import type { Database } from "#db/client.ts";
import { lockManagers, lockUser, type UserRecord } from "#db/queries/people/users.ts";
import type { Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";

/**
 * Somebody else whom the actor may manage: an operator's admin everybody, a partner's owner its own people. Whether the actor still may
 * is asked under a lock on all who may, so of two who shut each other out one comes second and is refused; and since nobody manages
 * themselves, one who may is always left.
 *
 * @throws Refusal `not_found` for nobody and for other partners' people, `forbidden` for oneself and who may no more.
 */
export async function lockManagedPerson(tx: Database, actor: Person, userId: string): Promise<UserRecord> {
  await refuseUnlessManager(tx, actor);
  const target = isUuid(userId) ? await lockUser(tx, userId) : null;
  if (target === null || (actor.partnerId !== null && target.partnerId !== actor.partnerId)) throw new Refusal("not_found");
  if (target.id === actor.userId)
    throw new Refusal("forbidden", { detail: "Nobody changes their own role or shuts themselves out: another one has to do it." });
  return target;
}

/** @throws Refusal `forbidden` unless the actor may, at this moment, manage its side's people; nobody's right changes before the end. */
export async function refuseUnlessManager(tx: Database, actor: Person): Promise<void> {
  const managers = await lockManagers(tx, actor.partnerId);
  if (!managers.has(actor.userId)) throw new Refusal("forbidden", { detail: "Your role does not include this." });
}
