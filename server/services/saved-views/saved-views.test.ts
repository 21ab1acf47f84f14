import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditEntries } from "#db/schema/audit-log.ts";
import { users } from "#db/schema/people.ts";
import type { UserRole } from "#domain/access.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from "./saved-views.ts";

let database: TestDatabase;
type Person = Awaited<ReturnType<typeof addPerson>>;
let ann: Person;
let bob: Person;
let owner: Person;
let rival: Person;

async function addPerson(role: UserRole, partnerId: string | null) {
  const userId = randomUUID();
  const person = {
    id: userId,
    email: `${userId}@example.com`,
    name: `Person ${userId}`,
    passwordHash: "-",
    role,
    partnerId,
    createdAt: new Date(),
  };
  await database.db.insert(users).values(person);
  return { userId, partnerId, by: { actor: { type: "user", userId, role, partnerId }, requestId: null } as const };
}

beforeAll(async () => {
  database = await createTestDatabase();
  const [one, other] = [await addPartner(database.db), await addPartner(database.db)];
  ann = await addPerson("admin", null);
  bob = await addPerson("viewer", null);
  owner = await addPerson("owner", one.partnerId);
  rival = await addPerson("owner", other.partnerId);
});
afterAll(async () => await database.close());

const keep = (person: Person, name: string, shared: boolean) =>
  createSavedView(database, { by: person.by, name, shared, params: { view: "failed" } });
const namesFor = async (person: Person) => (await listSavedViews(database, person)).map(({ name }) => name);

test("a view is seen by its owner, a shared one by the owner's organisation, and neither by anybody else", async () => {
  await keep(ann, "Anns own", false);
  await keep(ann, "anns for all", true);
  await keep(owner, "Owners for all", true);
  expect(await namesFor(ann)).toEqual(["anns for all", "Anns own"]);
  expect(await namesFor(bob)).toEqual(["anns for all"]);
  expect(await namesFor(owner)).toEqual(["Owners for all"]);
  expect(await namesFor(rival)).toEqual([]);
});

test("only its owner changes or deletes a view; to others it is not there", async () => {
  const id = await keep(owner, "To be kept", true);
  for (const person of [ann, bob, rival]) {
    await expect(updateSavedView(database, { by: person.by, id, change: { name: "Mine now" } })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(deleteSavedView(database, { by: person.by, id })).rejects.toMatchObject({ code: "not_found" });
  }
  await updateSavedView(database, { by: owner.by, id, change: { name: "Renamed", params: { merchant: "one" } } });
  expect(await listSavedViews(database, owner)).toContainEqual(
    expect.objectContaining({ id, name: "Renamed", shared: true, params: { merchant: "one" } }),
  );
  await deleteSavedView(database, { by: owner.by, id });
  await expect(deleteSavedView(database, { by: owner.by, id })).rejects.toMatchObject({ code: "not_found" });
  const actions = (await database.db.select().from(auditEntries)).filter(({ objectId }) => objectId === id).map(({ action }) => action);
  expect(actions).toEqual(["saved_view.created", "saved_view.updated", "saved_view.deleted"]);
});

test("a person's views have different names, two people's need not", async () => {
  await keep(bob, "The same", false);
  await expect(keep(bob, "The same", true)).rejects.toMatchObject({ code: "conflict" });
  await keep(ann, "The same", false);
  const other = await keep(bob, "Another", false);
  await expect(updateSavedView(database, { by: bob.by, id: other, change: { name: "The same" } })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("nobody keeps more than fifty, also when two are kept at once", async () => {
  const kept = await Promise.allSettled(Array.from({ length: 55 }, (_, index) => keep(rival, `view ${index}`, false)));
  expect(kept.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
});
