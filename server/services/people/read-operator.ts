import { findApiKey } from "#db/queries/access/api-keys.ts";
import { findUser } from "#db/queries/people/users.ts";
import { type Actor, OPERATOR_ROLES, type OperatorRole } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** One of the operator's people, or one of its keys, which may do what an admin may. */
export type Operator = { id: string /** null: a key. */; email: string | null; name: string; role: OperatorRole; createdAt: Date };

/**
 * Who acts, when it is the operator.
 *
 * @throws Refusal `forbidden` for anybody else.
 */
export async function readOperator(ctx: Uses<"db">, actor: Actor): Promise<Operator> {
  const found =
    actor.type === "user" ? await findPerson(ctx, actor.userId) : actor.type === "operator_key" ? await findKey(ctx, actor.apiKeyId) : null;
  if (found === null) throw new Refusal("forbidden");
  return found;
}

async function findPerson(ctx: Uses<"db">, id: string): Promise<Operator | null> {
  const user = await findUser(ctx.db, id);
  const role = OPERATOR_ROLES.find((each) => each === user?.role);
  return user === null || role === undefined ? null : { ...user, role };
}

async function findKey(ctx: Uses<"db">, id: string): Promise<Operator | null> {
  const key = await findApiKey(ctx.db, id);
  return key === null ? null : { id, email: null, name: key.name, role: "admin", createdAt: key.createdAt };
}
