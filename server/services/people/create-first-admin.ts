import { randomBytes, randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertUser, lockManagers, lockPeople } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** As many as it takes to confirm what the other proposes; all further ones are made by them. */
const FIRST_ADMINS = 2;

/**
 * One of the first two admins, whom nobody could confirm: made by a command on the machine. The password is told this once and is to be
 * changed; before anything else the person sets up two factors.
 *
 * @throws Refusal `conflict` when there are two already, or the address is taken.
 */
export async function createFirstAdmin(
  ctx: Uses<"db" | "passwords">,
  command: { email: string; name: string },
): Promise<{ id: string; email: string; password: string }> {
  const email = command.email.trim().toLowerCase();
  const password = randomBytes(18).toString("base64url");
  const passwordHash = await ctx.passwords.hash(password);
  return await ctx.db.transaction(async (tx) => {
    await lockPeople(tx);
    const admins = await lockManagers(tx, null);
    if (admins.size >= FIRST_ADMINS)
      throw new Refusal("conflict", { detail: "There are two admins already: further ones are invited in the console." });
    const [id, createdAt] = [randomUUID(), await readBusinessNow(tx)];
    const user = { id, email, name: command.name, passwordHash, role: "admin" as const, partnerId: null, createdAt };
    if (!(await insertUser(tx, user))) throw new Refusal("conflict", { detail: "There is a user with this address already." });
    const change = { username: email, name: command.name, role: "admin", made_on: "machine" };
    await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "user.created", objectId: id, change, now: createdAt });
    return { id, email, password };
  });
}
