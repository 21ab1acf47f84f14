import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, scopedTo } from "#db/client.ts";
import { passkeyChallenges, passkeys } from "#db/schema/passkeys.ts";
import { accessTokens } from "#db/schema/people.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { POLICIES_OF_PEOPLE } from "./policies.ts";
import { RIGHTS } from "./rights.ts";

/** Sessions, factors and tokens name a person and no partner: the database itself keeps them to the person's partner. */

let database: TestDatabase;
let ours: string;
let theirs: string;
let us: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  [ours, theirs] = [(await addPartner(database.db)).partnerId, (await addPartner(database.db)).partnerId];
  us = scopedTo(database.web, { of: "partner", id: ours });
});
afterAll(() => database.close());

const KEY = { name: "Key", publicKey: "x", signCount: 0, transports: [], aaguid: "x", syncs: false, backedUp: false };
const CHALLENGE = { purpose: "step_up" as const, challenge: "x", createdAt: new Date() };
/** What one person alone sees. */
const OF_ONE_PERSON = ["sessions", "access_tokens", "passkeys", "passkey_challenges", "recovery_codes"];

/** Tables that name a person, no partner and no secret: a partner's work may read whose review or check it is. */
const NAMES_NOBODY = ["audit_verifications", "review_claims"];

describe("every table that says whose person's its rows are", () => {
  /** A session, a recovery code and a choice of a new person; the operator's where there is no partner. */
  const personOf = async (partnerId: string | null) => {
    const [user, session] = [randomUUID(), randomUUID()];
    await database.sql`insert into users (id, email, name, role, password_hash, partner_id, created_at)
      values (${user}, ${`${user}@there.example`}, 'Person', ${partnerId === null ? "admin" : "staff"}, 'x', ${partnerId}, now())`;
    await database.sql`insert into sessions (id, sid_hash, user_id, created_at, last_seen_at, expires_at, address)
      values (${session}, ${session}, ${user}, now(), now(), now() + interval '1 hour', '10.1.1.1')`;
    await database.sql`insert into recovery_codes (user_id, code_hash, created_at) values (${user}, ${session}, now())`;
    await database.sql`insert into notification_rules (user_id, kind, console, mail, webhook, since)
      values (${user}, 'new_place', true, false, false, now())`;
    return { user, session };
  };
  const usersIn = async (table: string) =>
    [...(await us.execute<{ user: string }>(sql`select user_id as user from ${sql.identifier(table)}`))].map(({ user }) => user);

  it("has its policies: one line in db/policies.ts for each that a partner's work may touch", async () => {
    const found = await database.sql<{ name: string }[]>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
        and not exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'partner_id')`;
    const touched = found.map(({ name }) => name).filter((name) => RIGHTS[name]?.partner !== "" && !NAMES_NOBODY.includes(name));
    expect(touched.filter((name) => POLICIES_OF_PEOPLE[name] === undefined)).toEqual([]);
    const closed = await database.sql<{ name: string }[]>`select relname as name from pg_class where relrowsecurity`;
    const names = closed.map(({ name }) => name);
    expect(Object.keys(POLICIES_OF_PEOPLE).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("shows and gives a partner those of its own people alone, to a query that forgets to ask", async () => {
    const [mine, yours, operator] = [await personOf(ours), await personOf(theirs), await personOf(null)];
    for (const table of ["sessions", "recovery_codes", "notification_rules"])
      expect([table, await usersIn(table)]).toEqual([table, [mine.user]]);
    await us.execute(sql`update sessions set revoked_at = now()`);
    await us.execute(sql`delete from recovery_codes`);
    const left = await database.sql<{ user: string }[]>`select user_id as user from sessions where revoked_at is null
      intersect select user_id from recovery_codes`;
    expect(left.map(({ user }) => user).toSorted()).toEqual([yours.user, operator.user].toSorted());
    const refused = { cause: expect.objectContaining({ message: expect.stringContaining("row-level security") }) };
    await expect(
      us.execute(sql`insert into recovery_codes (user_id, code_hash, created_at) values (${yours.user}::uuid, 'mine', now())`),
    ).rejects.toMatchObject(refused);
    await expect(us.execute(sql`update sessions set user_id = ${operator.user}::uuid`)).rejects.toMatchObject(refused);
  });

  it("shows and gives a person their own sessions, factors and tokens alone, and who manages people those of the whole side", async () => {
    const [partnerId, other] = [(await addPartner(database.db)).partnerId, (await addPartner(database.db)).partnerId];
    const [me, colleague, stranger] = [await personOf(partnerId), await personOf(partnerId), await personOf(other)];
    for (const { user, session } of [me, colleague, stranger]) {
      const [id, at] = [randomUUID(), new Date()];
      await database.db.insert(accessTokens).values({ id, tokenHash: id, userId: user, createdAt: at, expiresAt: at });
      await database.db.insert(passkeys).values({ id, userId: user, credentialId: id, ...KEY, createdAt: at });
      await database.db.insert(passkeyChallenges).values({ ticketHash: id, userId: user, sessionId: session, ...CHALLENGE, expiresAt: at });
    }
    const mine = scopedTo(database.web, { of: "partner", id: partnerId, person: me.user });
    const managed = scopedTo(database.web, { of: "partner", id: partnerId });
    const usersOf = async (db: Database, table: string) =>
      [...(await db.execute<{ user: string }>(sql`select user_id as user from ${sql.identifier(table)}`))]
        .map(({ user }) => user)
        .toSorted();
    for (const table of OF_ONE_PERSON) {
      expect([table, await usersOf(mine, table)]).toEqual([table, [me.user]]);
      expect([table, await usersOf(managed, table)]).toEqual([table, [me.user, colleague.user].toSorted()]);
    }
    await mine.execute(sql`update sessions set revoked_at = now()`);
    await mine.execute(sql`delete from passkeys`);
    const left = await database.sql<{ user: string }[]>`select user_id as user from sessions s
      where revoked_at is null and exists (select from passkeys k where k.user_id = s.user_id) and user_id = any(${[me.user, colleague.user, stranger.user]})`;
    expect(left.map(({ user }) => user).toSorted()).toEqual([colleague.user, stranger.user].toSorted());
    const refused = { cause: expect.objectContaining({ message: expect.stringContaining("row-level security") }) };
    await expect(
      mine.execute(sql`insert into recovery_codes (user_id, code_hash, created_at) values (${colleague.user}::uuid, 'mine', now())`),
    ).rejects.toMatchObject(refused);
    await expect(mine.execute(sql`update sessions set user_id = ${colleague.user}::uuid`)).rejects.toMatchObject(refused);
    // A transaction names its person too, and the next one of the same connection does not.
    await mine.transaction(async (tx) => expect(await usersOf(tx, "recovery_codes")).toEqual([me.user]));
    expect(await usersOf(managed, "recovery_codes")).toEqual([me.user, colleague.user].toSorted());
  });
});
