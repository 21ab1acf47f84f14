import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertSession } from "#db/queries/people/sessions.ts";
import { isRefusal } from "#domain/refusal.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import type { Context } from "#server/context.ts";
import { Authenticator, type Lies } from "#testing/authenticator.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson, longProven, PASSWORD, refusalOf, type TestPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { askPasskey, readAskedSignIn } from "./second-factor/passkey-proof.ts";
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from "./second-factor/passkeys.ts";
import { renewRecoveryCodes } from "./second-factor/recovery-codes.ts";
import { resetFactors } from "./second-factor/totp.ts";
import { logIn } from "./sessions/access-tokens.ts";
import { stepUp } from "./sessions/authenticate-person.ts";
import { authenticateSession, openSession, type SessionHolder } from "./sessions/sessions.ts";

let database: TestDatabase;
let ctx: Context;
let person: TestPerson;
let offsetMs = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { ...testContext(database.db), clock: { now: () => new Date(Date.now() + offsetMs) } };
});
afterAll(() => database.close());
beforeEach(async () => {
  offsetMs = 0;
  stories += 1;
  address = `10.1.${stories}.1`;
  person = await addPerson(database.db, "approver");
});

/** Another one for each story: tries are counted by it, and some stories leap ahead in time. */
let address = "";
let stories = 0;
type Device = { ticket: string; answer: unknown };
const signIn = (passkey: Device | null = null, otp: string | null = null, of = person) =>
  openSession(ctx, { email: of.email, password: PASSWORD, otp, passkey, address, userAgent: null, requestId: null });
async function holderOf(secret: string): Promise<SessionHolder> {
  const holder = await authenticateSession(ctx, secret);
  if (holder === null) throw new Error("the session has ended");
  return holder;
}
/** The ticket that the sign-in is refused with after the right password. */
async function ticketOf(of = person): Promise<string> {
  const refusal = await signIn(null, null, of).catch((error: unknown) => error);
  return isRefusal(refusal) && refusal.code === "one_time_code_required" ? String(refusal.particulars.members?.ticket) : "none";
}
async function register(name = "Laptop", device = new Authenticator(), by = person.by) {
  // As at a sign-in with whatever the person had until then.
  const sessionId = await sessionOf(by.actor.userId);
  const { ticket, options } = await beginPasskey(ctx, { by, sessionId });
  return { device, sessionId, codes: await addPasskey(ctx, { by, sessionId, ticket, name, answer: device.create(options) }) };
}
async function sessionOf(userId: string): Promise<string> {
  const id = randomUUID();
  const [now, later] = [ctx.clock.now(), new Date(ctx.clock.now().getTime() + 3_600_000)];
  await insertSession(database.db, { id, sidHash: id, userId, createdAt: now, lastSeenAt: now, expiresAt: later, address });
  return id;
}
async function answered(device: Authenticator, lies: Lies = {}): Promise<Device> {
  const ticket = await ticketOf();
  return { ticket, answer: device.get((await readAskedSignIn(ctx, ticket)).options, lies) };
}
async function proven(device: Authenticator, sessionId: string, lies: Lies = {}): Promise<Device> {
  const { ticket, options } = await askPasskey(ctx, { userId: person.id, sessionId, purpose: "step_up" });
  return { ticket, answer: device.get(options, lies) };
}
const sidHashOf = async (sessionId: string) =>
  String((await database.sql`select sid_hash from sessions where id = ${sessionId}`)[0]?.sid_hash);
const stepUpBy = async (sessionId: string, proof: Device | string, by = person.by) =>
  await stepUp(ctx, { by, sessionId, sidHash: await sidHashOf(sessionId), address, proof });
const actions = async () =>
  (await database.sql`select action from audit_entries where object_id = ${person.id} order by id`).map(({ action }) => action);

describe("a passkey", () => {
  it("is a second factor: the password alone signs nobody in any more, and with the device it does, proven by more than it", async () => {
    await signIn();
    const { device, codes } = await register();
    expect(codes).toHaveLength(10);
    expect(await refusalOf(signIn())).toBe("one_time_code_required");
    const holder = await holderOf((await signIn(await answered(device))).secret);
    expect(holder).toMatchObject({ hasTotp: false, hasPasskey: true, steppedUpByCode: true });
    expect((await listPasskeys(ctx, person.id))[0]).toMatchObject({
      name: "Laptop",
      signCount: 1,
      syncs: false,
      lastUsedAt: expect.any(Date),
    });
    expect(await actions()).toEqual(["user.signed_in", "user.passkey_added", "user.signed_in"]);
  });

  it("gives way to a recovery code at the sign-in, a log-in and a step-up: a lost device shuts nobody out", async () => {
    const { codes, sessionId } = await register();
    const [first = "", second = "", third = ""] = codes ?? [];
    await signIn(null, first);
    await stepUpBy(sessionId, second);
    const credentials = { email: person.email, password: PASSWORD, address, requestId: null };
    expect(await refusalOf(logIn(ctx, { ...credentials, otp: null }))).toBe("invalid_credentials");
    expect(await logIn(ctx, { ...credentials, otp: third })).toHaveProperty("accessToken");
    expect(await refusalOf(stepUpBy(sessionId, PASSWORD))).toBe("invalid_credentials");
  });

  it("proves nothing when it answers another page, another host, another question, or for nobody whom it recognised", async () => {
    const { device, sessionId } = await register();
    for (const lies of [
      { origin: "http://localhost:4000" },
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { verifies: false },
    ]) {
      expect(await refusalOf(signIn(await answered(device, lies)))).toBe("invalid_credentials");
      expect(await refusalOf(stepUpBy(sessionId, await proven(device, sessionId, lies)))).toBe("invalid_credentials");
      offsetMs += 3_600_000;
      person = { ...person, by: { ...person.by, proof: { at: ctx.clock.now(), byCode: true } } };
    }
    offsetMs += 12 * 3_600_000;
    const other = { challenge: randomBytes(32).toString("base64url") };
    expect(await refusalOf(signIn({ ticket: await ticketOf(), answer: device.get(other) }))).toBe("invalid_credentials");
    for (const answer of [null, {}, [], "text", { id: device.credentialId }]) {
      offsetMs += 3_600_000;
      expect(await refusalOf(signIn({ ticket: await ticketOf(), answer }))).toBe("invalid_credentials");
    }
    const noted =
      await database.sql`select change->>'wrong' as wrong from audit_entries where object_id = ${person.id} and action = 'user.sign_in_refused'`;
    expect(new Set(noted.map(({ wrong }) => wrong))).toEqual(new Set(["passkey"]));
  });

  it("answers each question once, also when two bring the answer at once, and not after two minutes", async () => {
    const { device, sessionId } = await register();
    const once = await answered(device);
    const both = await Promise.allSettled([signIn(once), signIn(once)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await refusalOf(signIn(once))).toBe("invalid_credentials");
    const late = await proven(device, sessionId);
    offsetMs = 2 * 60_000;
    expect(await refusalOf(stepUpBy(sessionId, late))).toBe("invalid_credentials");
    await stepUpBy(sessionId, await proven(device, sessionId));
  });

  it("is asked for one session, one purpose and one person: what was signed for another is worth nothing", async () => {
    const { device, sessionId } = await register();
    const other = await sessionOf(person.id);
    expect(await refusalOf(stepUpBy(other, await proven(device, sessionId)))).toBe("invalid_credentials");
    expect(await refusalOf(stepUpBy(sessionId, await answered(device)))).toBe("invalid_credentials");
    expect(await refusalOf(signIn(await proven(device, sessionId)))).toBe("invalid_credentials");
    const stranger = await addPerson(database.db, "approver");
    const theirs = await register("Theirs", new Authenticator(), stranger.by);
    // The stranger's own device, under our person's ticket; and our device under the stranger's name.
    expect(await refusalOf(signIn(await answered(theirs.device)))).toBe("invalid_credentials");
    expect(await refusalOf(signIn({ ...(await answered(device)), ticket: await ticketOf(stranger) }, null, stranger))).toBe(
      "invalid_credentials",
    );
  });

  it("that counts backwards is a copy, and is refused", async () => {
    const { device } = await register();
    await signIn(await answered(device));
    await signIn(await answered(device));
    device.count = 0;
    expect(await refusalOf(signIn(await answered(device)))).toBe("invalid_credentials");
    expect((await listPasskeys(ctx, person.id))[0]?.signCount).toBe(2);
  });

  it("is added only by who has proven themselves just now, at this address, in this session, and not twice", async () => {
    const [sessionId, other] = [await sessionOf(person.id), await sessionOf(person.id)];
    const stale = { ...person.by, proof: longProven() };
    expect(await refusalOf(beginPasskey(ctx, { by: stale, sessionId }))).toBe("step_up_required");
    const device = new Authenticator();
    const add = async (lies: Lies = {}, change: object = {}) => {
      const { ticket, options } = await beginPasskey(ctx, { by: person.by, sessionId });
      return await addPasskey(ctx, { by: person.by, sessionId, ticket, name: "Key", answer: device.create(options, lies), ...change });
    };
    const wrongs = [
      () => add({ origin: "https://evil.example" }),
      () => add({ rpId: "evil.example" }),
      () => add({ verifies: false }),
      () => add({}, { sessionId: other }),
    ];
    for (const wrong of wrongs) expect(await refusalOf(wrong())).toBe("validation_failed");
    expect(await refusalOf(add({}, { by: stale }))).toBe("step_up_required");
    expect(await add()).toHaveLength(10);
    expect(await refusalOf(add())).toBe("conflict");
    const stranger = await addPerson(database.db, "viewer");
    expect(await refusalOf(register("Stolen", device, stranger.by))).toBe("conflict");
    expect(await listPasskeys(ctx, stranger.id)).toEqual([]);
  });

  it("ends the person's other sessions as it is added: they were opened without it", async () => {
    const before = (await signIn()).secret;
    await register();
    expect(await authenticateSession(ctx, before)).toBeNull();
  });

  it("that was removed signs nobody in; the last of two factors takes the recovery codes with it", async () => {
    const { device, codes } = await register();
    const second = await register("Phone");
    expect(second.codes).toBeNull();
    const [laptop, phone] = await listPasskeys(ctx, person.id);
    await renamePasskey(ctx, { by: person.by, id: phone?.id ?? "", name: "Work phone" });
    await removePasskey(ctx, { by: person.by, id: laptop?.id ?? "" });
    expect(await refusalOf(signIn(await answered(device)))).toBe("invalid_credentials");
    await signIn(await answered(second.device));
    await signIn(null, codes?.[0]);
    expect(await refusalOf(removePasskey(ctx, { by: { ...person.by, proof: longProven() }, id: phone?.id ?? "" }))).toBe(
      "step_up_required",
    );
    await removePasskey(ctx, { by: person.by, id: phone?.id ?? "" });
    await signIn();
    expect(await refusalOf(renewRecoveryCodes(ctx, person.by))).toBe("invalid_state");
    expect((await actions()).filter((action) => action.startsWith("user.passkey"))).toEqual([
      "user.passkey_added",
      "user.passkey_added",
      "user.passkey_renamed",
      "user.passkey_removed",
      "user.passkey_removed",
    ]);
  });

  it("is not removed when it is the last factor of who may not go without, also of two that are removed at once", async () => {
    const strict = { ...ctx, entryRules: { requireTotpForDeciders: true } };
    await register();
    await register("Phone");
    const held = await listPasskeys(ctx, person.id);
    const both = await Promise.all(held.map(({ id }) => refusalOf(removePasskey(strict, { by: person.by, id }))));
    expect(both.sort()).toEqual(["forbidden", null].sort());
    expect(await listPasskeys(ctx, person.id)).toHaveLength(1);
  });

  it("can be renamed or removed only by its person, and an admin's reset deletes all of them", async () => {
    const { device, sessionId } = await register();
    const admin = await addPerson(database.db, "admin");
    const [key] = await listPasskeys(ctx, person.id);
    const named = { by: admin.by, id: key?.id ?? "" };
    expect(await refusalOf(removePasskey(ctx, named))).toBe("not_found");
    expect(await refusalOf(renamePasskey(ctx, { ...named, name: "Mine" }))).toBe("not_found");
    expect(await refusalOf(removePasskey(ctx, { by: person.by, id: "no id" }))).toBe("not_found");
    const asked = await proven(device, sessionId);
    await resetFactors(ctx, { by: admin.by, userId: person.id });
    expect(await listPasskeys(ctx, person.id)).toEqual([]);
    expect(await refusalOf(stepUpBy(sessionId, asked))).toBe("invalid_credentials");
    await signIn();
    expect(await refusalOf(resetFactors(ctx, { by: admin.by, userId: person.id }))).toBe("invalid_state");
  });

  it("can be had where browsers allow it: under a host's name, over TLS or on this very machine", () => {
    const at = (baseUrl: string) => createPasskeys({ baseUrl, brand: "Service" }).unavailable;
    expect([at("https://console.example"), at("http://localhost:3000")]).toEqual([null, null]);
    for (const wrong of ["http://console.example", "https://192.0.2.1", "http://127.0.0.1:3000", "https://[2001:db8::1]"])
      expect(at(wrong)).toEqual(expect.any(String));
  });
});
