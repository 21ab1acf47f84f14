import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockUser, updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** What a person is called in the console and the audit log. */
export async function changeName(ctx: Uses<"db">, { by, name }: { by: By & { actor: Person }; name: string }): Promise<void> {
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw new Refusal("invalid_token");
    if (user.name === name) return;
    await updateUser(tx, userId, { name });
    const change = { name: { from: user.name, to: name } };
    await insertAuditEntry(tx, { by, partnerId, action: "user.renamed", objectId: userId, change, now: await readBusinessNow(tx) });
  });
}
