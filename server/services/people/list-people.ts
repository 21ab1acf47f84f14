import { listOpenInvitations } from "#db/queries/people/invitations.ts";
import { listPeople as listRecords, type PeopleFilter } from "#db/queries/people/users.ts";
import type { ListedInvitation, ListedPerson } from "#domain/person.ts";
import type { Uses } from "#server/context.ts";

export type People = {
  people: ListedPerson[] /** There are more than are told: a text narrows them. */;
  more: boolean;
  invitations: ListedInvitation[];
};

const LIMIT = 100;

/** Who may sign in on a side, and who is invited to; by name. */
export async function listPeople(ctx: Uses<"db">, filter: PeopleFilter): Promise<People> {
  const found = await listRecords(ctx.db, filter, LIMIT + 1);
  const invitations = await listOpenInvitations(ctx.db, filter.of, LIMIT);
  return { people: found.slice(0, LIMIT), more: found.length > LIMIT, invitations };
}
