import { findApiKey } from "#db/queries/access/api-keys.ts";
import { type ListedInvitation, listOpenInvitations } from "#db/queries/people/invitations.ts";
import { findUser, type ListedPerson, listPeople as listRecords, type PeopleFilter } from "#db/queries/people/users.ts";
import { type Actor, OPERATOR_ROLES, type OperatorRole } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** An operator's user, or one of its keys, which may do what an admin may. */
export type Operator = { id: string /** null: a key. */; email: string | null; name: string; role: OperatorRole; createdAt: Date };

/**
 * The actor, if it is the operator.
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

export type People = {
  people: ListedPerson[] /** There are more than are listed: a text narrows them. */;
  more: boolean;
  invitations: ListedInvitation[];
};

const LIMIT = 100;

/** The users and open invitations of a side, by name. */
export async function listPeople(ctx: Uses<"db">, filter: PeopleFilter): Promise<People> {
  const found = await listRecords(ctx.db, filter, LIMIT + 1);
  const invitations = await listOpenInvitations(ctx.db, filter.of, LIMIT);
  return { people: found.slice(0, LIMIT), more: found.length > LIMIT, invitations };
}
