import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { users } from "#db/schema/people.ts";
import type { UserRole } from "#domain/access.ts";
import { isRefusal } from "#domain/refusal.ts";
import { totpSecretOf } from "#domain/sealed-place.ts";
import { totpCode } from "#domain/totp.ts";
import { hashPassword } from "#server/adapters/passwords.ts";
import { authenticatePerson, type Credentials } from "#server/services/people/sessions/authenticate-person.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey } from "#testing/surface.ts";

const PASSWORD = "vellum-otter-92-quay";

let database: TestDatabase;
let stage: PartnerStage;
let operator: string;
let passwordHash: string;
/** Real time, set by the test. */
/** The clock moves only when a test moves it: a throttle refills with time, and a busy machine is slow. */
const began = Date.now();
let offsetMs = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db, { clock: { now: () => new Date(began + offsetMs) } });
  operator = (await issueKey(stage.ctx, { partnerId: null })).apiKey;
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => database.close());

async function addUser(role: UserRole = "admin", values: Partial<typeof users.$inferInsert> = {}): Promise<{ id: string; email: string }> {
  const id = randomUUID();
  const email = `${id}@example.com`;
  await database.db.insert(users).values({ id, email, name: "Ada", passwordHash, role, createdAt: new Date(), ...values });
  return { id, email };
}

const login = (username: string, password = PASSWORD, more: { address?: string; otp?: string } = {}) => {
  const { address = `10.0.0.${Math.ceil(Math.random() * 250)}`, otp } = more;
  return stage.call("POST", "/login", { form: { grant_type: "password", username, password, ...(otp && { otp }) }, address });
};
async function tokenOf(role: UserRole): Promise<string> {
  const { email } = await addUser(role);
  return (await login(email)).body.access_token;
}
const me = (token: string) => stage.call("GET", "/admins/me", { token });

describe("a log-in", () => {
  it("answers a token of a quarter of an hour that names its person, whatever case the address is written in", async () => {
    const { id, email } = await addUser("approver");
    const answer = await login(email.toUpperCase());
    expect([answer.status, answer.body]).toEqual([
      200,
      { access_token: expect.stringMatching(/^tok_/), token_type: "bearer", expires_in: 900 },
    ]);
    const view = await me(answer.body.access_token);
    expect([view.status, view.body]).toEqual([200, { id, username: email, name: "Ada", role: "approver", created_at: expect.any(String) }]);
    const [row] = await database.sql`select row_to_json(t)::text as text from access_tokens t where user_id = ${id}`;
    expect(row?.text).not.toContain(answer.body.access_token);
  });

  it("is refused in the same words to a wrong password, an unknown, a disabled and a partner's person", async () => {
    const { partnerId } = await issueKey(stage.ctx);
    const refused = [
      await login((await addUser()).email, "wrong password"),
      await login("nobody@example.com"),
      await login((await addUser("admin", { disabledAt: new Date() })).email),
      await login((await addUser("owner", { partnerId })).email),
    ];
    for (const answer of refused) {
      expect([answer.status, answer.body.code]).toEqual([401, "invalid_credentials"]);
      expect({ ...answer.body, request_id: null }).toEqual({ ...refused[0]?.body, request_id: null });
    }
  });

  it("needs a form with each field once, and nothing else in it", async () => {
    const { email } = await addUser();
    const good = { username: email, password: PASSWORD };
    expect((await stage.call("POST", "/login", { body: good })).status).toBe(415);
    for (const [form, field] of [
      ["", "username"],
      [`username=${email}`, "password"],
      [`username=a&username=b&password=c`, "username"],
      [`username=a&password=%ff`, "password"],
      [`username=a&password=b&more=1`, "more"],
      [`username=a&password=b&grant_type=magic`, "grant_type"],
    ] as const) {
      const answer = await stage.call("POST", "/login", { form });
      expect([answer.status, answer.body.detail?.[0]?.loc], JSON.stringify(answer.body)).toEqual([422, ["body", field]]);
    }
    const spaced = await addUser("admin", { passwordHash: await hashPassword("pässword with + and &") });
    const encoded = await stage.call("POST", "/login", { form: { username: spaced.email, password: "pässword with + and &" } });
    expect(encoded.status).toBe(200);
    const raw = await stage.call("POST", "/login", { form: `username=${spaced.email}&password=pässword+with+%2B+and+%26` });
    expect(raw.status).toBe(200);
  });

  it("needs a one-time code where one is set up, the right one, and each once, also when two use it at once", async () => {
    const secret = randomBytes(20);
    const id = randomUUID();
    const sealedTotpSecret = stage.ctx.vault.seal(secret.toString("base64"), totpSecretOf(id));
    const { email } = await addUser("admin", { id, sealedTotpSecret });
    const step = Math.floor((began + offsetMs) / 30_000);
    const code = totpCode(secret, step);
    const wrong = totpCode(secret, step + 50);
    expect((await login(email)).body.code).toBe("invalid_credentials");
    expect((await login(email, PASSWORD, { otp: wrong })).body.code).toBe("invalid_credentials");
    const racing = await Promise.all([1, 2, 3].map(() => login(email, PASSWORD, { otp: code })));
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await login(email, PASSWORD, { otp: code })).status).toBe(401);
    expect((await login(email, PASSWORD, { otp: totpCode(secret, step - 1) })).status).toBe(401);
    expect((await login(email, PASSWORD, { otp: totpCode(secret, step + 1) })).status).toBe(200);
  });
});

describe("guessing", () => {
  /** All at once. Not over the surface, which answers 503 when so many hashes take longer than a request may. */
  const guess = (email: string, address: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        refusalOf({ email, password: "wrong password", otp: null, address, of: "operator", requestId: null }),
      ),
    );
  const refusalOf = (credentials: Credentials) =>
    authenticatePerson(stage.ctx, credentials).then(
      () => ({ status: 200 }),
      (error) => ({ status: isRefusal(error) ? REFUSAL_STATUS[error.code].status : 500 }),
    );
  const statuses = (answers: { status: number }[], status: number) => answers.filter((answer) => answer.status === status).length;

  it("at one account from one address is let through ten times, then gets a time to retry, also all at once", async () => {
    const { email } = await addUser();
    const answers = await guess(email, "192.0.2.1", 30);
    expect([statuses(answers, 401), statuses(answers, 429)]).toEqual([10, 20]);
    const refused = await login(email, PASSWORD, { address: "192.0.2.1" });
    expect([refused.status, refused.body.code, Number(refused.headers["Retry-After"])]).toEqual([429, "rate_limited", 20]);
    offsetMs += 20_000;
    expect((await login(email, PASSWORD, { address: "192.0.2.1" })).status).toBe(200);
  });

  it("is throttled for accounts that do not exist in just the same way", async () => {
    const answers = await guess(`${randomUUID()}@example.com`, "192.0.2.2", 15);
    expect([statuses(answers, 401), statuses(answers, 429)]).toEqual([10, 5]);
  });

  it("from elsewhere does not keep a person out where it signed in before, however much of it there is", async () => {
    const { email } = await addUser();
    expect((await login(email, PASSWORD, { address: "192.0.2.10" })).status).toBe(200);
    for (let number = 1; number <= 8; number += 1) await guess(email, `198.51.100.${number}`, 10);
    expect((await login(email, "wrong password", { address: "198.51.100.99" })).status).toBe(429);
    expect((await login(email, PASSWORD, { address: "192.0.2.10" })).status).toBe(200);
  });

  it("at many accounts from one address is let through fifty times", async () => {
    const answers = [];
    for (let number = 0; number < 60; number += 1)
      answers.push(await login(`${randomUUID()}@example.com`, "guess", { address: "192.0.2.20" }));
    expect([statuses(answers, 401), statuses(answers, 429)]).toEqual([50, 10]);
    expect((await login((await addUser()).email, PASSWORD, { address: "192.0.2.21" })).status).toBe(200);
  });

  it("leaves no tried name lying about in the database", async () => {
    const name = `secret-${randomUUID()}@example.com`;
    await login(name, "password-in-the-name-field");
    const [row] = await database.sql`select coalesce(string_agg(t::text, ''), '') as text from login_throttles t`;
    expect(row?.text).not.toContain("secret-");
  });

  it("costs a person nothing who knows the password", async () => {
    const { email } = await addUser();
    for (let number = 0; number < 15; number += 1) expect((await login(email, PASSWORD, { address: "192.0.2.30" })).status).toBe(200);
  });
});

describe("an access token", () => {
  it("lets an admin add somebody, who then logs in, in the person's own part of the database", async () => {
    const token = (await login((await addUser("admin")).email)).body.access_token;
    const body = { username: `${randomUUID()}@example.com`, password: "copper-thistle-31-wren", name: "New Viewer", role: "viewer" };
    const added = await stage.call("POST", "/admins", { token, body });
    expect([added.status, added.body.username]).toEqual([201, body.username]);
    expect((await login(body.username, body.password)).status).toBe(200);
  });

  it("ends after its time, when it is revoked, and when its person is disabled", async () => {
    const { id, email } = await addUser();
    const [early, late] = [(await login(email)).body.access_token, (await login(email)).body.access_token];
    expect((await stage.call("DELETE", "/login", { token: early })).status).toBe(204);
    const revoked = await me(early);
    expect([revoked.status, revoked.body.code, revoked.headers["WWW-Authenticate"]]).toEqual([401, "invalid_token", "ApiKey, Bearer"]);
    expect((await me(late)).status).toBe(200);
    offsetMs += 899_000;
    expect((await me(late)).status).toBe(200);
    offsetMs += 1_000;
    expect((await me(late)).body.code).toBe("invalid_token");
    const last = (await login(email)).body.access_token;
    await database.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, id));
    expect((await me(last)).body.code).toBe("invalid_token");
  });

  it("has the rights that its person has at this very moment", async () => {
    const { id, email } = await addUser("admin");
    const token = (await login(email)).body.access_token;
    const suspend = () => stage.call("PUT", `/partners/${randomUUID()}/status`, { token, body: { status: "suspended" } });
    expect((await suspend()).status).toBe(404);
    await database.db.update(users).set({ role: "viewer" }).where(eq(users.id, id));
    expect((await suspend()).body.code).toBe("forbidden");
    expect((await me(token)).body.role).toBe("viewer");
  });

  it("lets an admin do all, an approver decide and read, a viewer read", async () => {
    const may = async (role: UserRole) => {
      const token = await tokenOf(role);
      return [
        (await stage.call("GET", "/partners", { token })).status,
        (await stage.call("POST", "/admins/settlements/tx_nothing/approve", { token, body: {} })).status,
        (await stage.call("PUT", `/partners/${randomUUID()}/status`, { token, body: { status: "active" } })).status,
      ];
    };
    expect(await may("admin")).toEqual([200, 404, 404]);
    expect(await may("approver")).toEqual([200, 404, 403]);
    expect(await may("viewer")).toEqual([200, 403, 403]);
  });

  it("that is invalid, or goes under another scheme, opens nothing; a key counts where both are sent", async () => {
    for (const token of ["x", `tok_${"x".repeat(43)}`, "tok_"]) expect((await me(token)).body.code).toBe("invalid_token");
    const basic = await stage.call("GET", "/admins/me", { headers: { Authorization: "Basic abc" } });
    expect([basic.status, basic.body.code]).toEqual([401, "missing_api_key"]);
    const { apiKey } = await issueKey(stage.ctx);
    const both = await stage.call("GET", "/admins/me", { apiKey, token: await tokenOf("admin") });
    expect(both.body.code).toBe("forbidden");
  });
});

describe("the operator's people", () => {
  const create = (more: Record<string, unknown> = {}, by: { apiKey?: string; token?: string } = { apiKey: operator }) =>
    stage.call("POST", "/admins", {
      ...by,
      body: { username: `${randomUUID()}@example.com`, password: PASSWORD, name: "New", role: "viewer", ...more },
    });

  it("are created by an admin or an operator's key, and can log in", async () => {
    const username = `New.${randomUUID()}@Example.com`;
    const created = await create({ username, role: "approver" }, { token: await tokenOf("admin") });
    expect([created.status, created.body]).toEqual([
      201,
      { id: expect.any(String), username: username.toLowerCase(), name: "New", role: "approver", created_at: expect.any(String) },
    ]);
    expect((await login(username)).status).toBe(200);
    const [entry] =
      await database.sql`select actor_type, change::text as change from audit_entries where object_id = ${created.body.id} and action = 'user.created'`;
    expect(entry?.actor_type).toBe("user");
    expect(entry?.change).not.toContain(PASSWORD);
  });

  it("are refused with an address that is taken, a weak password, or a role that is not the operator's", async () => {
    const { email } = await addUser();
    const racing = `${randomUUID()}@example.com`;
    const answers = await Promise.all([1, 2, 3].map(() => create({ username: racing })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await create({ username: email.toUpperCase() })).body.code).toBe("conflict");
    for (const [more, field] of [
      [{ password: "short-7Hq_z" }, "password"],
      [{ password: "password1234" }, "password"],
      [{ password: "qwertyuiop12" }, "password"],
      [{ role: "owner" }, "role"],
      [{ username: "nobody" }, "username"],
      [{ name: "" }, "name"],
    ] as const) {
      const answer = await create(more);
      expect([answer.status, answer.body.detail?.[0]?.loc], JSON.stringify(answer.body)).toEqual([422, ["body", field]]);
    }
  });

  it("are created neither by an approver nor by a partner", async () => {
    expect((await create({}, { token: await tokenOf("approver") })).body.code).toBe("forbidden");
    expect((await create({}, { apiKey: (await issueKey(stage.ctx)).apiKey })).body.code).toBe("forbidden");
  });

  it("and its keys learn who they are", async () => {
    const view = await stage.call("GET", "/admins/me", { apiKey: operator });
    expect([view.status, view.body]).toMatchObject([200, { username: null, name: "Test key", role: "admin" }]);
    expect((await stage.call("DELETE", "/login", { apiKey: operator })).body.code).toBe("invalid_token");
  });
});
