import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { insertUser } from "#db/queries/users.ts";
import type { Uses } from "#server/context.ts";
import { type By, type OperatorRole, refuseUnlessOperator } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { hashNewPassword } from "./hash-new-password.ts";
import type { Operator } from "./read-operator.ts";

export type CreateOperator = { by: By; email: string; password: string; name: string; role: OperatorRole };

/**
 * One more of the operator's people (contract, part 6 "Create Admin").
 *
 * @throws Refusal `forbidden`, `validation_failed` for a password that is easily guessed, `conflict` for an address that is taken.
 */
export async function createOperator(ctx: Uses<"db" | "passwords">, command: CreateOperator): Promise<Operator> {
  refuseUnlessOperator(command.by.actor, "administer");
  const email = command.email.toLowerCase();
  const passwordHash = await hashNewPassword(ctx, command.password, [email, command.name], "/password");
  return await ctx.db.transaction(async (tx) => {
    const { name, role } = command;
    const createdAt = await readBusinessNow(tx);
    const id = randomUUID();
    const isNew = await insertUser(tx, { id, email, name, passwordHash, role, partnerId: null, createdAt });
    if (!isNew) throw new Refusal("conflict", { detail: "A user with this username exists already." });
    const change = { username: email, name, role };
    await insertAuditEntry(tx, { by: command.by, partnerId: null, action: "user.created", objectId: id, change, now: createdAt });
    return { id, email, name, role, createdAt };
  });
}
