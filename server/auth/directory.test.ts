import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findVoter } from "#db/queries/proposals/proposals.ts";
import { identities, identityProviders } from "#db/schema/identity-providers.ts";
import { hashOf, newDirectoryToken, type ProviderSettings } from "#domain/identity-provider.ts";
import type { Context } from "#server/context.ts";
import { authenticateSession, openSession } from "#server/services/people/sessions/sessions.ts";
import { consoleParts } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addOperatorKey, addPerson, PASSWORD, refusalOf, type TestPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { handleDirectory } from "./directory.ts";

let database: TestDatabase;
let ctx: Context;
let web: ReturnType<typeof consoleParts>;
const ISSUER = "https://id.example.com";
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
  web = consoleParts(ctx);
});
afterAll(() => database.close());

async function addDirectory(partnerId: string | null = null, duty: Partial<ProviderSettings> = {}) {
  const [id, token] = [randomUUID(), newDirectoryToken()];
  const base = { name: "Ours", issuer: ISSUER, clientId: "console", groupsClaim: "groups", roles: [], demandedAcr: null };
  const settings = { ...base, isDuty: false, keeperIds: [], ...duty };
  const row = { id, partnerId, slug: `p-${id.slice(0, 8)}`, settings, directoryTokenHash: hashOf(token), createdAt: new Date() };
  await database.db.insert(identityProviders).values(row);
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const all = { authorization: `Bearer ${token}`, "content-type": "application/scim+json", "x-client-address": "10.4.4.4", ...headers };
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const request = new Request(`http://localhost:3000/api/scim/v2/${path}`, { method, headers: all, ...sent });
    const segments = ["v2", ...(path.split("?")[0] ?? "").split("/")];
    const response = await handleDirectory(web, request, { params: Promise.resolve({ path: segments }) });
    const text = await response.text();
    return { status: response.status, type: response.headers.get("content-type"), body: text === "" ? null : JSON.parse(text) };
  };
  return { id, ask };
}

const deactivate = { Operations: [{ op: "replace", path: "active", value: false }] };
const activate = { Operations: [{ op: "Replace", value: { active: "True" } }] };

describe("a company's directory", () => {
  it("creates, reads, finds, replaces, patches and deletes users, in SCIM's words, each with an entry in the audit log", async () => {
    const { id: providerId, ask } = await addDirectory();
    const made = await ask("POST", "Users", { userName: "Ada", externalId: "s-1", name: { givenName: "Ada" }, password: "never kept" });
    expect([made.status, made.type, made.body]).toEqual([
      201,
      "application/scim+json",
      expect.objectContaining({ userName: "Ada", externalId: "s-1", active: true, name: { givenName: "Ada" } }),
    ]);
    expect(JSON.stringify(made.body)).not.toContain("never kept");
    const path = `Users/${made.body.id}`;
    expect((await ask("GET", path)).body).toEqual(made.body);
    const found = await ask("GET", `Users?filter=${encodeURIComponent('userName eq "ADA"')}`);
    expect(found.body).toMatchObject({ totalResults: 1, startIndex: 1, Resources: [{ id: made.body.id }] });
    expect((await ask("GET", `Users?filter=${encodeURIComponent('userName eq "eve"')}`)).body.totalResults).toBe(0);
    await ask("POST", "Users", { userName: "bob" });
    expect((await ask("GET", "Users?startIndex=2&count=1")).body).toMatchObject({ totalResults: 2, startIndex: 2, itemsPerPage: 1 });
    const patched = await ask("PATCH", path, { Operations: [{ op: "replace", path: "name.familyName", value: "Lovelace" }] });
    expect(patched.body.name).toEqual({ givenName: "Ada", familyName: "Lovelace" });
    expect((await ask("PUT", path, { userName: "ada2", externalId: "s-1" })).body).toMatchObject({ userName: "ada2", active: true });
    expect([(await ask("DELETE", path)).status, (await ask("GET", path)).status]).toEqual([204, 404]);
    const entries = await database.sql`select action from audit_entries where change ->> 'provider_id' = ${providerId} order by id`;
    expect(entries.map(({ action }) => action)).toEqual([
      "directory.user_added",
      "directory.user_added",
      "directory.user_changed",
      "directory.user_changed",
      "directory.user_removed",
    ]);
  });

  it("keeps groups with its own users as members, and adds and removes them one by one", async () => {
    const { ask } = await addDirectory();
    const member = async (userName: string) => (await ask("POST", "Users", { userName })).body.id as string;
    const [ada, bob] = [await member("ada"), await member("bob")];
    const { body: group } = await ask("POST", "Groups", { displayName: "finance", members: [{ value: ada }] });
    const members = async () => (await ask("GET", `Groups/${group.id}`)).body.members.map(({ value }: { value: string }) => value);
    await ask("PATCH", `Groups/${group.id}`, { Operations: [{ op: "Add", path: "members", value: [{ value: bob }] }] });
    expect(await members()).toEqual([ada, bob]);
    await ask("PATCH", `Groups/${group.id}`, { Operations: [{ op: "remove", path: `members[value eq "${ada}"]` }] });
    expect(await members()).toEqual([bob]);
    await ask("DELETE", `Users/${bob}`);
    expect(await members()).toEqual([]);
    expect((await ask("GET", `Groups?filter=${encodeURIComponent('displayName eq "finance"')}`)).body.totalResults).toBe(1);
    expect((await ask("PUT", `Groups/${group.id}`, { displayName: "money", members: [{ value: randomUUID() }] })).status).toBe(400);
    expect((await ask("DELETE", `Groups/${group.id}`)).status).toBe(204);
  });

  it("is refused in SCIM's shape, and sees nothing of another directory", async () => {
    const [ours, theirs] = [await addDirectory(), await addDirectory()];
    const { body: user } = await theirs.ask("POST", "Users", { userName: "eve" });
    await ours.ask("POST", "Users", { userName: "ada" });
    const error = (status: number, scimType?: string) => ({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
      detail: expect.any(String),
      ...(scimType !== undefined && { scimType }),
    });
    const refused: [Awaited<ReturnType<typeof ours.ask>>, number, string?][] = [
      [await ours.ask("GET", `Users/${user.id}`), 404],
      [await ours.ask("PATCH", `Users/${user.id}`, deactivate), 404],
      [await ours.ask("DELETE", `Users/${user.id}`), 404],
      [await ours.ask("POST", "Users", { userName: "ADA" }), 409, "uniqueness"],
      [await ours.ask("POST", "Users", "{"), 400, "invalidSyntax"],
      [await ours.ask("POST", "Users", {}), 400, "invalidValue"],
      [await ours.ask("GET", `Users?filter=${encodeURIComponent("userName sw 1")}`), 400, "invalidFilter"],
      [await ours.ask("PATCH", `Users/${user.id}`, { Operations: [] }), 404],
      [await ours.ask("GET", "Users", undefined, { authorization: `Bearer ${newDirectoryToken()}` }), 401],
      [await ours.ask("GET", "Users", undefined, { authorization: "Basic x" }), 401],
      [await ours.ask("PUT", "Users", {}), 405],
      [await ours.ask("GET", "Planets"), 404],
      [await ours.ask("POST", "Users", { userName: "x" }, { "content-type": "text/plain" }), 415],
    ];
    for (const [answer, status, scimType] of refused)
      expect([answer.status, answer.type, answer.body]).toEqual([status, "application/scim+json", error(status, scimType)]);
  });

  it("refuses texts that the database cannot hold, wherever they are, and keeps nothing of them", async () => {
    const { id: providerId, ask } = await addDirectory();
    const { body: group } = await ask("POST", "Groups", { displayName: "Desk" });
    const odd = ["\u0000", "\ud800"];
    for (const text of odd) {
      const bodies = [
        { userName: "a", externalId: text },
        { userName: text },
        { userName: "a", name: { givenName: text } },
        { userName: "a", emails: [{ [text]: "a" }] },
        { displayName: "a", members: [{ value: text }] },
      ];
      for (const body of bodies) for (const resource of ["Users", "Groups"]) expect((await ask("POST", resource, body)).status).toBe(400);
      const patch = { Operations: [{ op: "add", path: "members", value: [{ value: text }] }] };
      expect((await ask("PATCH", `Groups/${group.id}`, patch)).status).toBe(400);
      for (const resource of ["Users", "Groups"]) {
        for (const method of ["GET", "DELETE"]) expect((await ask(method, `${resource}/${text}`)).status).toBe(404);
        const filter = encodeURIComponent(`externalId eq ${JSON.stringify(text)}`);
        expect((await ask("GET", `${resource}?filter=${filter}`)).status).toBe(400);
      }
    }
    const [kept] = await database.sql`select (select count(*) from directory_users where provider_id = ${providerId})::int as users,
      (select count(*) from directory_groups where provider_id = ${providerId})::int as groups`;
    expect(kept).toEqual({ users: 0, groups: 1 });
  });
});

describe("a person whom the directory shuts out", () => {
  const listed = async (directory: Awaited<ReturnType<typeof addDirectory>>, person: TestPerson) => {
    const subject = randomUUID();
    const row = { id: randomUUID(), issuer: ISSUER, subject, userId: person.id, providerId: directory.id, createdAt: new Date() };
    await database.db.insert(identities).values(row);
    const { body: user } = await directory.ask("POST", "Users", { userName: subject, externalId: subject });
    return { ...directory, person, path: `Users/${user.id}` };
  };
  const known = async () => await listed(await addDirectory(), await addPerson(database.db, "approver"));
  const signIn = (email: string) =>
    openSession(ctx, { email, password: PASSWORD, otp: null, address: "10.1.1.1", userAgent: null, requestId: null });
  const isDisabled = async (id: string) => (await database.sql`select disabled_at from users where id = ${id}`)[0]?.disabled_at !== null;

  it("has no session, cannot sign in, and keys of theirs decide no more, from the answer on; the directory lets them in again", async () => {
    const { ask, person, path } = await known();
    const { secret } = await signIn(person.email);
    const key = await addOperatorKey(database.db, person.id);
    const keyId = key.actor.type === "operator_key" ? key.actor.apiKeyId : "";
    const voter = () => findVoter(database.db, { type: "operator_key", id: keyId });
    expect([(await voter()) === null, await authenticateSession(ctx, secret)]).toEqual([
      false,
      expect.objectContaining({ userId: person.id }),
    ]);
    expect((await ask("PATCH", path, deactivate)).body.active).toBe(false);
    expect([await authenticateSession(ctx, secret), await refusalOf(signIn(person.email))]).toEqual([null, "invalid_credentials"]);
    expect((await voter())?.endedAt).toBeInstanceOf(Date);
    await ask("PATCH", path, activate);
    expect([await isDisabled(person.id), await authenticateSession(ctx, secret)]).toEqual([false, null]);
  });

  it("stays out when somebody here shut them out, and after the directory has deleted them", async () => {
    const { ask, person, path } = await known();
    await database.sql`update users set disabled_at = now() where id = ${person.id}`;
    await ask("PATCH", path, deactivate);
    await ask("PATCH", path, activate);
    expect(await isDisabled(person.id)).toBe(true);
    const other = await known();
    await other.ask("DELETE", other.path);
    expect(await isDisabled(other.person.id)).toBe(true);
  });

  it("is never the last one who could let others in: that is refused, changes nothing, and is in the audit log", async () => {
    const { partnerId } = await addPartner(database.db);
    const directory = await addDirectory(partnerId);
    const owners = [
      await listed(directory, await addPerson(database.db, "owner", partnerId)),
      await listed(directory, await addPerson(database.db, "owner", partnerId)),
    ];
    // Both at once: one of the two stays.
    const answers = await Promise.all(owners.map(({ path }) => directory.ask("PATCH", path, deactivate)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const last = owners[answers.findIndex(({ status }) => status === 403)];
    if (last === undefined) throw new Error("nobody stayed");
    const { secret } = await signIn(last.person.email);
    expect((await directory.ask("DELETE", last.path)).status).toBe(403);
    expect((await directory.ask("GET", last.path)).body.active).toBe(true);
    expect([await isDisabled(last.person.id), (await authenticateSession(ctx, secret))?.userId]).toEqual([false, last.person.id]);
    const entries = await database.sql`select change ->> 'why' as why from audit_entries where object_id = ${directory.id}`;
    const why = "the directory may not shut out the last who lets others in";
    expect(entries.map((entry) => entry.why)).toEqual([why, why]);
    // Where single sign-on is a duty, a manager without a passkey could not let anybody in.
    const [keeper, other] = [await addPerson(database.db, "owner", partnerId), await addPerson(database.db, "staff", partnerId)];
    const strict = await addDirectory(partnerId, { isDuty: true, keeperIds: [keeper.id, other.id] });
    const [kept, free] = [await listed(strict, keeper), await listed(strict, other)];
    expect([await strict.ask("PATCH", kept.path, deactivate), await strict.ask("PATCH", free.path, deactivate)]).toMatchObject([
      { status: 403 },
      { status: 200 },
    ]);
    expect([await isDisabled(keeper.id), await isDisabled(other.id)]).toEqual([false, true]);
  });
});
