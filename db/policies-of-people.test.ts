import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase, scopedTo } from "#db/client.ts";
import { changeSecrets, forgetAuthenticator, readSecrets, spendTotpStep } from "#db/queries/people/person-secrets.ts";
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
const OF_ONE_PERSON = [
  ...["sessions", "access_tokens", "passkeys", "passkey_challenges", "recovery_codes"],
  ...["login_origins", "notification_rules", "notification_settings"],
];

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
    await database.sql`insert into login_origins (user_id, address, last_success_at) values (${user}, '10.1.1.1', now())`;
    await database.sql`insert into notification_settings (user_id, digest, zone) values (${user}, 'at_once', 'UTC')`;
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

  it("shows an operator's person their own sessions, factors and tokens alone, and who manages people everybody's", async () => {
    const [me, colleague] = [await personOf(null), await personOf(null)];
    const mine = scopedTo(database.web, { of: "everybody", person: me.user });
    const seen = async (db: Database) =>
      [
        ...(await db.execute<{ user: string }>(
          sql`select user_id as user from sessions union all select user_id from recovery_codes where code_hash <> ''`,
        )),
      ].map(({ user }) => user);
    expect(new Set(await seen(mine))).toEqual(new Set([me.user]));
    expect(await seen(database.web)).toEqual(expect.arrayContaining([me.user, colleague.user]));
    await mine.execute(sql`update sessions set revoked_at = now()`);
    const left = await database.sql`select from sessions where user_id = ${colleague.user} and revoked_at is null`;
    expect(left).toHaveLength(1);
  });
});

describe("passwords and authenticators", () => {
  const SECRETS = ["password_hash", "sealed_totp_secret", "sealed_totp_draft"];
  const addUser = async (partnerId: string | null) => {
    const id = randomUUID();
    await database.sql`insert into users (id, email, name, role, password_hash, sealed_totp_secret, partner_id, created_at)
      values (${id}, ${`${id}@there.example`}, 'Person', ${partnerId === null ? "admin" : "staff"}, 'hash', 'sealed', ${partnerId}, now())`;
    return id;
  };
  const storedOf = async (id: string) =>
    (await database.sql`select password_hash, sealed_totp_secret, last_totp_step from users where id = ${id}`)[0];
  const refused = { cause: expect.objectContaining({ code: "42501" }) };
  const denied = { cause: expect.objectContaining({ message: expect.stringContaining("may not be changed") }) };

  it("are in no answer to a query, and in no change by one, of a partner's work or a web process", async () => {
    const id = await addUser(ours);
    for (const db of [us, scopedTo(database.web, { of: "partner", id: ours, person: id }), database.web])
      for (const column of [...SECRETS, "last_totp_step"]) {
        const name = sql.identifier(column);
        await expect(db.execute(sql`select ${name} from users`), column).rejects.toMatchObject(refused);
        await expect(db.execute(sql`select from users where ${name} is not null`), column).rejects.toMatchObject(refused);
        await expect(db.execute(sql`update users set ${name} = null`), column).rejects.toMatchObject(refused);
      }
    await expect(database.worker.execute(sql`select password_hash from users`)).rejects.toMatchObject(refused);
    expect([...(await us.execute(sql`select has_totp from users where id = ${id}::uuid`))]).toEqual([{ has_totp: true }]);
  });

  it("are given and changed for one person at a time, and in a person's own work for that person alone", async () => {
    const [me, colleague, stranger, operator] = [await addUser(ours), await addUser(ours), await addUser(theirs), await addUser(null)];
    const mine = scopedTo(database.web, { of: "partner", id: ours, person: me });
    const operators = scopedTo(database.web, { of: "everybody", person: operator });
    const given = async (db: Database, id: string) => (await readSecrets(db, id)) !== null;
    const reach = async (db: Database) => await Promise.all([me, colleague, stranger, operator].map((id) => given(db, id)));
    expect(await reach(mine)).toEqual([true, false, false, false]);
    expect(await reach(operators)).toEqual([false, false, false, true]);
    // Who manages a partner's people, and its keys, get none.
    expect(await reach(us)).toEqual([false, false, false, false]);
    // The sign-in does not know yet who it is.
    expect(await reach(database.web)).toEqual([true, true, true, true]);

    for (const other of [colleague, stranger, operator]) {
      await expect(changeSecrets(mine, other, { passwordHash: "mine" })).rejects.toMatchObject(denied);
      expect(await spendTotpStep(mine, other, 7)).toBe(false);
      await expect(forgetAuthenticator(mine, other)).rejects.toMatchObject(denied);
    }
    for (const other of [stranger, operator]) await expect(forgetAuthenticator(us, other)).rejects.toMatchObject(denied);
    for (const other of [colleague, stranger, operator])
      expect(await storedOf(other)).toEqual({ password_hash: "hash", sealed_totp_secret: "sealed", last_totp_step: null });
    await changeSecrets(mine, me, { passwordHash: "new", sealedTotpSecret: null });
    expect(await readSecrets(mine, me)).toEqual({ passwordHash: "new", sealedTotpSecret: null, sealedTotpDraft: null });
    expect([await spendTotpStep(mine, me, 7), await spendTotpStep(mine, me, 7), await spendTotpStep(mine, me, 8)]).toEqual([
      true,
      false,
      true,
    ]);
    await forgetAuthenticator(us, colleague);
    expect(await storedOf(colleague)).toMatchObject({ password_hash: "hash", sealed_totp_secret: null });
  });

  it("are given and taken on a connection that served a person of a partner before", async () => {
    const { db, close } = openDatabase({ url: database.url, applicationName: "one", maxConnections: 1, role: database.webRole });
    try {
      const [owner, person, other] = [await addUser(ours), await addUser(null), await addUser(theirs)];
      await scopedTo(db, { of: "partner", id: ours, person: owner }).execute(sql`select 1`);
      expect(await readSecrets(db, person)).not.toBeNull();
      await changeSecrets(db, person, { passwordHash: "another" });
      expect(await spendTotpStep(db, person, 3)).toBe(true);
      for (const id of [person, other]) await forgetAuthenticator(db, id);
      const mine = scopedTo(db, { of: "everybody", person });
      expect([await readSecrets(mine, other), (await readSecrets(mine, person))?.passwordHash]).toEqual([null, "another"]);
    } finally {
      await close();
    }
  });
});
