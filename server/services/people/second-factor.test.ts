import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mustEnrol } from "#domain/session.ts";
import { totpCode } from "#domain/totp.ts";
import type { Context } from "#server/context.ts";
import { readSecondFactor, renewRecoveryCodes } from "#server/services/people/second-factor/recovery-codes.ts";
import { beginTotp, confirmTotp, switchOffTotp } from "#server/services/people/second-factor/totp.ts";
import { logIn } from "#server/services/people/sessions/access-tokens.ts";
import { stepUp } from "#server/services/people/sessions/authenticate-person.ts";
import { authenticateSession, openSession } from "#server/services/people/sessions/sessions.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson, PASSWORD, refusalOf, type TestPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { changePassword } from "./change-self.ts";

let database: TestDatabase;
let ctx: Context;
let person: TestPerson;
/** Real time, set by the test. */
let offsetMs = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { ...testContext(database.db), clock: { now: () => new Date(Date.now() + offsetMs) } };
});
afterAll(() => database.close());
beforeEach(async () => {
  offsetMs = 0;
  person = await addPerson(database.db, "approver");
});

const ADDRESS = "10.1.1.1";
/** A session that nothing here ends or keeps. */
const sessionId: string = randomUUID();
const codeOf = (secret: string, halfMinutes = 0) =>
  totpCode(fromBase32(secret), Math.floor((Date.now() + offsetMs) / 30_000) + halfMinutes);
const signIn = (otp: string | null = null, password = PASSWORD) =>
  openSession(ctx, { email: person.email, password, otp, address: ADDRESS, userAgent: null, requestId: null });
async function enrol(keeps = sessionId): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await beginTotp(ctx, { by: person.by, issuer: "Test" });
  return { secret, codes: await confirmTotp(ctx, { by: person.by, sessionId: keeps, code: codeOf(secret) }) };
}
async function session(): Promise<{ secret: string; sessionId: string; steppedUpAt: Date | null }> {
  const { secret } = await signIn();
  const holder = await authenticateSession(ctx, secret);
  return { secret, sessionId: holder?.sessionId ?? "", steppedUpAt: holder?.steppedUpAt ?? null };
}
const prove = async (sessionId: string, proof: string, address = ADDRESS) => {
  const [row] = await database.sql`select sid_hash from sessions where id = ${sessionId}`;
  return await stepUp(ctx, { by: person.by, sessionId, sidHash: String(row?.sid_hash), address, proof });
};
const actions = async () =>
  (await database.sql`select action from audit_entries where object_id = ${person.id} order by id`).map(({ action }) => action);

describe("the second factor", () => {
  it("is on only once a code shows that the app has the secret; the link carries secret, issuer and account", async () => {
    const { secret, link } = await beginTotp(ctx, { by: person.by, issuer: "Brand sandbox" });
    expect(link).toBe(`otpauth://totp/Brand%20sandbox:${encodeURIComponent(person.email)}?secret=${secret}&issuer=Brand%20sandbox`);
    expect(await refusalOf(confirmTotp(ctx, { by: person.by, sessionId, code: "000000" }))).toBe("validation_failed");
    await signIn();
    const code = codeOf(secret);
    const codes = await confirmTotp(ctx, { by: person.by, sessionId, code });
    expect(new Set(codes).size).toBe(10);
    expect(await refusalOf(signIn())).toBe("one_time_code_required");
    expect(await refusalOf(signIn(code))).toBe("invalid_credentials"); // spent by the confirmation
    await signIn(codeOf(secret, 1));
    const stored = await database.sql`select row_to_json(u)::text as row from users u where id = ${person.id}`;
    expect(stored[0]?.row).not.toContain(secret);
  });

  it("moves to another phone: the old one works until the new one has shown a code, and then no more", async () => {
    const { secret, codes } = await enrol();
    const moved = await beginTotp(ctx, { by: person.by, issuer: "Test" });
    await signIn(codeOf(secret, 1));
    await confirmTotp(ctx, { by: person.by, sessionId, code: codeOf(moved.secret) });
    offsetMs = 60_000;
    expect(await refusalOf(signIn(codeOf(secret)))).toBe("invalid_credentials");
    expect(await refusalOf(signIn(codes[0] ?? ""))).toBe("invalid_credentials");
    await signIn(codeOf(moved.secret));
  });

  it("is confirmed by one of two that try at once", async () => {
    const { secret } = await beginTotp(ctx, { by: person.by, issuer: "Test" });
    const both = await Promise.allSettled([1, 2].map(() => confirmTotp(ctx, { by: person.by, sessionId, code: codeOf(secret) })));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await readSecondFactor(ctx, person.id)).toMatchObject({ recoveryCodesLeft: 10 });
  });

  it("asks nobody for a code whose password is wrong", async () => {
    await enrol();
    expect(await refusalOf(signIn(null, "not this one at all"))).toBe("invalid_credentials");
  });

  it("has recovery codes that work once each, however they are typed, also when two come at once", async () => {
    const { codes } = await enrol();
    const [first = "", second = ""] = codes;
    await signIn(first.toLowerCase().replaceAll("-", " "));
    expect(await refusalOf(signIn(first))).toBe("invalid_credentials");
    const race = await Promise.allSettled([1, 2, 3].map(() => signIn(second)));
    expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readSecondFactor(ctx, person.id)).toMatchObject({ recoveryCodesLeft: 8 });
    expect((await actions()).filter((action) => action === "user.recovery_code_spent")).toHaveLength(2);
    const dump = await database.sql`select coalesce(string_agg(row_to_json(r)::text, ''), '') as rows from recovery_codes r`;
    for (const code of codes) expect(dump[0]?.rows).not.toContain(code.replaceAll("-", ""));
  });

  it("gives nobody another person's recovery codes", async () => {
    const { codes } = await enrol();
    person = await addPerson(database.db, "approver");
    await enrol();
    expect(await refusalOf(signIn(codes[0] ?? ""))).toBe("invalid_credentials");
  });

  it("forgets the old codes with new ones, and all of it when it is switched off", async () => {
    const { codes } = await enrol();
    const renewed = await renewRecoveryCodes(ctx, person.by);
    expect(await refusalOf(signIn(codes[0] ?? ""))).toBe("invalid_credentials");
    await signIn(renewed[0] ?? "");
    await switchOffTotp(ctx, person.by);
    await signIn();
    expect(await refusalOf(renewRecoveryCodes(ctx, person.by))).toBe("invalid_state");
    const [row] = await database.sql`select count(*)::int as left from recovery_codes where user_id = ${person.id}`;
    expect(row?.left).toBe(0);
  });

  it("ends the person's other sessions as it is switched on, and as it moves: they were opened without it", async () => {
    const [one, other] = [await session(), await session()];
    const { secret } = await beginTotp(ctx, { by: person.by, issuer: "Test" });
    await confirmTotp(ctx, { by: person.by, sessionId: one.sessionId, code: codeOf(secret) });
    expect(await authenticateSession(ctx, one.secret)).not.toBeNull();
    expect(await authenticateSession(ctx, other.secret)).toBeNull();
  });

  it("is guessed at ten times after the right password, from anywhere, then once an hour; and its person is notified", async () => {
    const { secret } = await enrol();
    const from = (address: string, otp: string | null) =>
      openSession(ctx, { email: person.email, password: PASSWORD, otp, address, userAgent: null, requestId: null });
    for (let guess = 0; guess < 10; guess += 1) expect(await refusalOf(from(`10.9.${guess}.1`, "000000"))).toBe("invalid_credentials");
    expect(await refusalOf(from("10.9.99.1", "000000"))).toBe("rate_limited");
    expect(await refusalOf(from("10.9.98.1", codeOf(secret, 1)))).toBe("rate_limited");
    // Nobody without the password can bring that about: a wrong one never gets there.
    expect(await refusalOf(signIn("000000", "not this one at all"))).toBe("invalid_credentials");
    offsetMs = 3_600_000;
    await from("10.9.98.1", codeOf(secret));
    await expect.poll(async () => (await readSecondFactor(ctx, person.id)).refusedSignIns.length, { timeout: 20_000 }).toBe(11);
    expect((await readSecondFactor(ctx, person.id)).refusedSignIns.map(({ wrong }) => wrong)).toEqual([
      "password",
      ...new Array(10).fill("code"),
    ]);
  });

  it("enters so many refused sign-ins and no more: strangers do not fill a log that is kept for ever", async () => {
    const guess = (address: string) =>
      openSession(ctx, { email: person.email, password: "not this one at all", otp: null, address, userAgent: null, requestId: null });
    for (let pass = 0; pass < 15; pass += 1) expect(await refusalOf(guess(`2001:db8:${pass}::1`))).toBe("invalid_credentials");
    const entered = async () => (await actions()).filter((action) => action === "user.sign_in_refused").length;
    await expect.poll(entered, { timeout: 20_000 }).toBe(10);
  });

  it("cannot be switched off by people who decide, where the installation requires it, and tokens need it too", async () => {
    const strict = { ...ctx, entryRules: { requireTotpForDeciders: true } };
    const credentials = { email: person.email, password: PASSWORD, otp: null, address: ADDRESS, requestId: null };
    expect(await refusalOf(logIn(strict, credentials))).toBe("enrolment_required");
    const { secret } = await enrol();
    expect(await refusalOf(switchOffTotp(strict, person.by))).toBe("forbidden");
    expect(await refusalOf(logIn(strict, credentials))).toBe("invalid_credentials");
    expect(await logIn(strict, { ...credentials, otp: codeOf(secret, 1) })).toHaveProperty("accessToken");
  });
});

describe("in live mode", () => {
  it("nobody gets in with one factor, including people who only read", () => {
    const one = { hasTotp: false, hasPasskey: false };
    for (const role of ["admin", "approver", "viewer", "owner", "staff"] as const) {
      expect(mustEnrol({ ...one, role }, { requireTotpForDeciders: true, requireTotpForAll: true })).toBe(true);
      expect(mustEnrol({ ...one, hasPasskey: true, role }, { requireTotpForDeciders: true, requireTotpForAll: true })).toBe(false);
    }
    expect(mustEnrol({ ...one, role: "viewer" }, { requireTotpForDeciders: true })).toBe(false);
  });
});

describe("stepping up", () => {
  it("writes wrong codes down, and guesses no more at them than the sign-in does, in however many sessions", async () => {
    const { codes } = await enrol();
    const refused: (string | null)[] = [];
    const opened: string[] = [];
    for (let place = 0; place < 4; place += 1) {
      const { secret } = await signIn(codes[place] ?? "");
      opened.push((await authenticateSession(ctx, secret))?.sessionId ?? "");
    }
    for (const [place, sessionId] of opened.entries()) {
      const guess = () => prove(sessionId, "000000", `10.9.97.${place}`);
      for (let each = 0; each < 4; each += 1) refused.push(await refusalOf(guess()));
    }
    expect(refused.filter((code) => code === "invalid_credentials")).toHaveLength(10);
    expect(refused.filter((code) => code === "rate_limited")).toHaveLength(6);
    const entered = await database.sql`select change->>'wrong' as wrong from audit_entries
      where object_id = ${person.id} and action = 'user.step_up_refused'`;
    expect(new Set(entered.map(({ wrong }) => wrong))).toEqual(new Set(["code"]));
    expect(entered).toHaveLength(10);
  });

  it("asks people with one factor for the password, and people with two for the code; a sign-in counts", async () => {
    const { sessionId, steppedUpAt } = await session();
    expect(steppedUpAt).not.toBeNull();
    offsetMs = 60_000;
    expect(await refusalOf(prove(sessionId, "not this one at all"))).toBe("invalid_credentials");
    const renewed = await prove(sessionId, PASSWORD);
    expect((await authenticateSession(ctx, renewed))?.steppedUpAt?.getTime()).toBeGreaterThan((steppedUpAt?.getTime() ?? 0) + 59_000);
    const { secret, codes } = await enrol(sessionId);
    expect(await refusalOf(prove(sessionId, PASSWORD))).toBe("invalid_credentials");
    // The same code: half a minute may end between the two.
    const code = codeOf(secret, 1);
    await prove(sessionId, code);
    expect(await refusalOf(prove(sessionId, code))).toBe("invalid_credentials");
    await prove(sessionId, codes[9] ?? "");
    const methods = await database.sql`
      select change->>'method' as method from audit_entries where object_id = ${person.id} and action = 'user.stepped_up' order by id`;
    expect(methods.map(({ method }) => method)).toEqual(["password", "one_time_code", "recovery_code"]);
  });

  it("lets a session guess five times, then once a minute, the right proof included", async () => {
    const { sessionId } = await session();
    const guesses = await Promise.all(Array.from({ length: 9 }, () => refusalOf(prove(sessionId, "guess"))));
    expect(guesses.filter((code) => code === "invalid_credentials")).toHaveLength(5);
    expect(guesses.filter((code) => code === "rate_limited")).toHaveLength(4);
    expect(await refusalOf(prove(sessionId, PASSWORD))).toBe("rate_limited");
    offsetMs = 61_000;
    await prove(sessionId, PASSWORD);
  });
});

describe("another password", () => {
  it("ends all other sessions at once and keeps this one; the old one signs nobody in", async () => {
    const [other, own] = [await session(), await session()];
    const change = { by: person.by, sessionId: own.sessionId, address: ADDRESS, newPassword: "otter-quay-vellum-17" };
    expect(await refusalOf(changePassword(ctx, { ...change, currentPassword: "not this one at all" }))).toBe("validation_failed");
    expect(await refusalOf(changePassword(ctx, { ...change, currentPassword: PASSWORD, newPassword: "passwordpassword" }))).toBe(
      "validation_failed",
    );
    await changePassword(ctx, { ...change, currentPassword: PASSWORD });
    expect(await authenticateSession(ctx, other.secret)).toBeNull();
    expect(await authenticateSession(ctx, own.secret)).not.toBeNull();
    expect(await refusalOf(signIn())).toBe("invalid_credentials");
    await signIn(null, "otter-quay-vellum-17");
    const entry = await database.sql`select change::text as change from audit_entries where action = 'user.password_changed'`;
    expect(entry[0]?.change).toBe('{"other_sessions_ended": 1}');
  });
});

/** RFC 4648, the other way round. */
function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
