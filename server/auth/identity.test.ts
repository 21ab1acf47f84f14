import { createSecretKey, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityProviders } from "#db/schema/identity-providers.ts";
import type { ProviderSettings } from "#domain/identity-provider.ts";
import { createIdentityProviders } from "#server/adapters/identity/providers.ts";
import type { Context } from "#server/context.ts";
import { beginLink, beginStepUp } from "#server/services/identity-providers/ask-provider.ts";
import { consoleParts } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { type Forger, startForger } from "#testing/identity-forger.ts";
import { addPerson, justProven } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { handleIdentity } from "./identity.ts";
import { readSession } from "./read-session.ts";

let database: TestDatabase;
let ctx: Context;
let forger: Forger;
let web: ReturnType<typeof consoleParts>;
beforeAll(async () => {
  database = await createTestDatabase();
  const loopback = { allowHttp: true, exemptHosts: ["127.0.0.1"] };
  ctx = { ...testContext(database.db), identityProviders: createIdentityProviders(loopback) };
  web = consoleParts(ctx);
});
afterAll(() => database.close());
beforeEach(async () => {
  forger = await startForger();
});
afterEach(() => forger.close());

const GROUPS = { groups: ["finance"] };

async function addProvider(settings: Partial<ProviderSettings> = {}, partnerId: string | null = null): Promise<string> {
  const id = randomUUID();
  const roles = [
    { group: "admins", role: "admin" as const },
    { group: "finance", role: "approver" as const },
    { group: "readers", role: "viewer" as const },
  ];
  const usual = { name: "Forge", issuer: forger.issuer, clientId: "console", groupsClaim: "groups", roles, demandedAcr: null };
  const all = { ...usual, isDuty: false, keeperIds: [], ...settings };
  await database.db.insert(identityProviders).values({ id, partnerId, slug: `p-${id.slice(0, 8)}`, settings: all, createdAt: new Date() });
  return id;
}

type Asked = { cookie: string; state: string; nonce: string; location: URL };

async function call(path: string, init: { cookie?: string; method?: string; body?: BodyInit } = {}): Promise<Response> {
  const [plain = ""] = path.split("?");
  const { cookie, ...rest } = init;
  const headers = { "x-client-address": "10.3.3.3", ...(cookie === undefined ? {} : { cookie }) };
  const request = new Request(`http://localhost:3000/api/oidc/${path}`, { ...rest, headers });
  return await handleIdentity(web, request, { params: Promise.resolve({ path: plain.split("/") }) });
}

const cookiesOf = (response: Response) => response.headers.getSetCookie().map((each) => each.split(";")[0] ?? "");

async function ask(provider: string, query = "", cookie?: string): Promise<Asked> {
  const response = await call(`start/${provider}${query}`, cookie === undefined ? {} : { cookie });
  const location = new URL(response.headers.get("location") ?? "", "http://localhost:3000");
  const [request = ""] = cookiesOf(response);
  const [state, nonce] = [location.searchParams.get("state") ?? "", location.searchParams.get("nonce") ?? ""];
  return { cookie: cookie === undefined ? request : `${cookie}; ${request}`, state, nonce, location };
}

/** The answer of an honest provider, changed as the test says. */
type Lie = {
  claims?: JWTPayload;
  token?: (claims: JWTPayload) => Promise<string>;
  answer?: Record<string, string | null>;
  cookie?: string | null;
  twice?: true;
  at?: string;
};

async function answer(provider: string, asked: Asked, { claims = {}, token, answer: changed = {}, cookie, at }: Lie = {}) {
  const code = randomUUID();
  const said = {
    sub: "ada",
    aud: "console",
    nonce: asked.nonce,
    email: `${randomUUID()}@forge.example`,
    email_verified: true,
    ...GROUPS,
    ...claims,
  };
  forger.give(code, await (token ?? forger.tokenFor)(said));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ code, state: asked.state, iss: forger.issuer, ...changed }))
    if (value !== null) query.set(name, value);
  const sent = cookie === null ? {} : { cookie: cookie ?? asked.cookie };
  return { response: await call(`callback/${at ?? provider}?${query}`, sent), query };
}

async function signedIn(provider: string, lie: Lie = {}) {
  const { response } = await answer(provider, await ask(provider), lie);
  expect(response.headers.get("location")).toBe("/console");
  const cookie = cookiesOf(response).find((each) => each.startsWith("settlement-3000.session="));
  if (cookie === undefined) throw new Error("there is no session");
  const value = cookie.slice(cookie.indexOf("=") + 1);
  const holder = () => readSession(ctx, web.config, () => value);
  return { cookie, holder, now: await holder() };
}

const refusals = async () =>
  (await database.sql`select change ->> 'why' as why from audit_entries where action = 'identity.refused' order by id`).map(({ why }) =>
    String(why),
  );

describe("signing in with the company's identity", () => {
  it("asks with PKCE, state, nonce and this provider's own address, makes a person from the groups, and knows them again by issuer and subject", async () => {
    const provider = await addProvider();
    const { location } = await ask(provider);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "console",
      code_challenge_method: "S256",
      redirect_uri: `http://localhost:3000/api/oidc/callback/${provider}`,
      scope: "openid email profile",
    });
    const first = await signedIn(provider, { claims: { name: "Ada", email: "ada@forge.example" } });
    expect(first.now).toMatchObject({ name: "Ada", email: "ada@forge.example", role: "approver", partnerId: null });
    // Another address, and another group: the same person with another role.
    const second = await signedIn(provider, { claims: { email: "lovelace@forge.example", groups: ["readers"] } });
    expect(second.now).toMatchObject({ userId: first.now?.userId, email: "ada@forge.example", role: "viewer" });
    expect((await first.holder())?.role).toBe("viewer");
  });

  it("never joins two people by an equal e-mail address", async () => {
    const provider = await addProvider();
    const somebody = await addPerson(database.db, "admin");
    const { response } = await answer(provider, await ask(provider), { claims: { sub: "mallory", email: somebody.email } });
    expect(response.headers.get("location")).toBe("/console/sign-in?error=provider_refused");
    expect((await refusals()).at(-1)).toMatch(/^the e-mail address belongs to somebody here/);
  });

  it("gives nobody access without a group, and ends what a person had who lost the last one", async () => {
    const provider = await addProvider();
    const session = await signedIn(provider);
    const { response } = await answer(provider, await ask(provider), { claims: { groups: ["cooks"] } });
    expect(response.headers.get("location")).toBe("/console/sign-in?error=provider_refused");
    expect(await session.holder()).toBeNull();
  });

  it("does nothing to the person of another company that has the same issuer", async () => {
    const [ours, theirs] = [await addProvider(), await addProvider({}, (await addPartner(database.db)).partnerId)];
    const session = await signedIn(ours, { claims: { sub: "edith", email: "edith@forge.example" } });
    for (const groups of [["cooks"], ["readers"]]) {
      const { response } = await answer(theirs, await ask(theirs), { claims: { sub: "edith", groups } });
      expect(response.headers.get("location")).toBe("/console/sign-in?error=provider_refused");
      expect((await refusals()).at(-1)).toBe("the person belongs to another company");
    }
    expect((await session.holder())?.userId).toBe(session.now?.userId);
  });

  it("leaves a role that decides to two people in live mode", async () => {
    const provider = await addProvider();
    web = { ...web, ctx: { ...ctx, mode: "live" } };
    const session = await signedIn(provider, { claims: { sub: "grace", email: "grace@forge.example" } });
    web = { ...web, ctx };
    expect(session.now?.role).toBe("viewer");
    const waits = await database.sql`select change -> 'role' ->> 'to' as role from audit_entries where action = 'user.role_waits'`;
    expect(waits.map(({ role }) => role)).toEqual(["approver"]);
  });

  it("reads groups from the provider's endpoint where the token has none, and refuses it about another subject", async () => {
    const provider = await addProvider();
    const asked = { groups: undefined, sub: "joan", email: "joan@forge.example" };
    forger.userInfo = { sub: "joan", groups: ["readers"] };
    expect((await signedIn(provider, { claims: asked })).now?.role).toBe("viewer");
    forger.userInfo = { sub: "another", groups: ["admins"] };
    const { response } = await answer(provider, await ask(provider), { claims: asked });
    expect(response.headers.get("location")).toBe("/console/sign-in?error=provider_refused");
  });

  it("says that a provider is away, and records nothing as a forgery", async () => {
    const provider = await addProvider({ issuer: "http://127.0.0.1:9" });
    const before = (await refusals()).length;
    const { location } = await ask(provider);
    expect(location.search).toBe("?error=provider_away");
    expect((await refusals()).length).toBe(before);
  });
});

describe("an identity of one's own", () => {
  const proven = async (demandedAcr: string | null = null) => {
    const provider = await addProvider({ demandedAcr });
    const acr = demandedAcr === null ? {} : { acr: demandedAcr };
    return { provider, ...(await signedIn(provider, { claims: { ...acr, sub: randomUUID(), email: `${randomUUID()}@forge.example` } })) };
  };

  it("is linked from inside the person's own session, by a fresh sign-in, and signs in the same person from then on", async () => {
    const { provider, now, cookie } = await proven();
    if (now === null) throw new Error("nobody is signed in");
    const actor = { type: "user", userId: now.userId, role: now.role, partnerId: null } as const;
    const by = { actor, requestId: null, proof: justProven() };
    const begin = async () =>
      await ask(provider, `?ticket=${await beginLink(ctx, { by, sessionId: now.sessionId, providerId: provider })}`, cookie);
    const linking = await begin();
    expect(linking.location.searchParams.get("prompt")).toBe("login");
    const { response } = await answer(provider, linking, { claims: { sub: "second-identity" } });
    expect(response.headers.get("location")).toBe("/console/account");
    expect((await signedIn(provider, { claims: { sub: "second-identity" } })).now?.userId).toBe(now.userId);
    // In another browser the ticket opens nothing.
    const ticket = await beginLink(ctx, { by, sessionId: now.sessionId, providerId: provider });
    expect((await call(`start/${provider}?ticket=${ticket}`)).headers.get("location")).toBe("/console/account?error=provider_refused");
    const old = Math.floor(Date.now() / 1_000) - 300;
    const { response: stale } = await answer(provider, await begin(), { claims: { sub: "third", auth_time: old } });
    expect(stale.headers.get("location")).toMatch(/error=provider_refused/);
    expect((await refusals()).at(-1)).toBe("the sign-in is an old one");
  });

  it("steps up by a fresh sign-in with the demanded context, of the same subject alone", async () => {
    const { provider, now, cookie, holder } = await proven("urn:strong");
    if (now === null) throw new Error("nobody is signed in");
    const subject = String((await database.sql`select subject from identities where user_id = ${now.userId}`)[0]?.subject);
    await database.sql`update sessions set stepped_up_at = null where id = ${now.sessionId}`;
    const begin = async () =>
      await ask(provider, `?ticket=${(await beginStepUp(ctx, { sessionId: now.sessionId, target: "/console/treasury" })).ticket}`, cookie);
    const asked = await begin();
    expect(Object.fromEntries(asked.location.searchParams)).toMatchObject({ prompt: "login", max_age: "0", acr_values: "urn:strong" });
    for (const [claims, why] of [
      [{ sub: "somebody-else", acr: "urn:strong" }, "the subject has changed"],
      [{ sub: subject, acr: "urn:weak" }, "the provider did not prove the second factor"],
    ] as const) {
      await answer(provider, await begin(), { claims });
      expect((await refusals()).at(-1)).toBe(why);
    }
    expect((await holder())?.steppedUpAt).toBeNull();
    const { response } = await answer(provider, asked, { claims: { sub: subject, acr: "urn:strong" } });
    expect(response.headers.get("location")).toBe("/console/treasury");
    // The session goes on under a new secret, and the old one is refused.
    expect(await holder()).toBeNull();
    const [, renewed = ""] = cookiesOf(response);
    const goesOn = await readSession(ctx, web.config, () => renewed.slice(renewed.indexOf("=") + 1));
    expect(goesOn).toMatchObject({ sessionId: now.sessionId, steppedUpByCode: true, provenByProvider: true });
  });
});

describe("a provider's order to sign out", () => {
  const event = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const order = async (claims: JWTPayload = {}, header: Record<string, string> = { typ: "logout+jwt" }) => {
    const now = Math.floor(Date.now() / 1_000);
    const said = { iss: forger.issuer, aud: "console", iat: now, exp: now + 60, jti: randomUUID(), events: event, ...claims };
    return await forger.sign(said, header);
  };
  const send = async (provider: string, token: string) =>
    await call(`sign-out/${provider}`, { method: "POST", body: new URLSearchParams({ logout_token: token }) });

  it("ends the session that it names within its own answer, or all of a subject's, once", async () => {
    const provider = await addProvider();
    const one = await signedIn(provider, { claims: { sid: "s-1", sub: "out", email: "out@forge.example" } });
    const two = await signedIn(provider, { claims: { sid: "s-2", sub: "out" } });
    const token = await order({ sid: "s-1" });
    expect((await send(provider, token)).status).toBe(200);
    expect([await one.holder(), (await two.holder())?.userId]).toEqual([null, two.now?.userId]);
    expect((await send(provider, token)).status).toBe(400);
    expect((await send(provider, await order({ sub: "out" }))).status).toBe(200);
    expect(await two.holder()).toBeNull();
  });

  it("ends no session of another company that has the same issuer", async () => {
    const [ours, theirs] = [await addProvider(), await addProvider({}, (await addPartner(database.db)).partnerId)];
    const session = await signedIn(ours, { claims: { sid: "s-3", sub: "stays", email: "stays@forge.example" } });
    for (const claims of [{ sub: "stays" }, { sid: "s-3" }]) expect((await send(theirs, await order(claims))).status).toBe(200);
    expect((await session.holder())?.userId).toBe(session.now?.userId);
  });

  it.each<[string, RegExp, JWTPayload, Record<string, string>?]>([
    ["with a nonce", /nonce/, { sub: "ada", nonce: "n" }],
    ["that names nobody", /nobody/, {}],
    ["without the event", /order/, { sub: "ada", events: {} }],
    ["of another issuer", /iss/, { sub: "ada", iss: "http://elsewhere" }],
    ["for another client", /aud/, { sub: "ada", aud: "another" }],
    ["that is old", /moment/, { sub: "ada", iat: Math.floor(Date.now() / 1_000) - 3_600, exp: Math.floor(Date.now() / 1_000) + 60 }],
    ["with a subject that cannot be kept", /cannot be kept/, { sub: "ada\u0000" }],
    ["that is valid for ever", /./, { sub: "ada", exp: 9_999_999_999_999 }],
    ["that is an access token", /no order/, { sub: "ada" }, { typ: "at+jwt" }],
  ])("is refused %s", async (_what, why, claims, header) => {
    const response = await send(await addProvider(), await order(claims, header));
    const body = { error: "invalid_request", error_description: "The order to sign out was refused." };
    expect([response.status, await response.json(), (await refusals()).at(-1)]).toEqual([400, body, expect.stringMatching(why)]);
  });
});

describe("a forged answer", () => {
  const keysTakenAway = async () => {
    forger.takeKeysAway();
    return {};
  };
  const seconds = () => Math.floor(Date.now() / 1_000);
  const unsigned = async (claims: JWTPayload) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${part({ alg: "none" })}.${part({ iss: forger.issuer, iat: seconds(), exp: seconds() + 300, ...claims })}.`;
  };
  const underPublicKey = async (claims: JWTPayload) =>
    await new SignJWT({ iss: forger.issuer, iat: seconds(), exp: seconds() + 300, ...claims })
      .setProtectedHeader({ alg: "HS256", kid: "first" })
      .sign(createSecretKey(Buffer.from(forger.publicKey())));

  it.each<[string, Lie | (() => Promise<Lie>), RegExp]>([
    ["an unsigned token", { token: unsigned }, /alg|sign/i],
    ["HS256 under the public key", { token: underPublicKey }, /alg|sign/i],
    ["the wrong issuer", { claims: { iss: "http://elsewhere.example" } }, /issuer/],
    ["the wrong audience", { claims: { aud: "another" } }, /audience/],
    ["the wrong nonce", { claims: { nonce: "another" } }, /nonce/],
    ["a missing nonce", { claims: { nonce: undefined as never } }, /nonce/],
    ["an expired token", { claims: { iat: 1_000, exp: 2_000 } }, /expiration/],
    ["a token from the future", { claims: { iat: 9_999_999_999, exp: 99_999_999_999 } }, /future/],
    ["a subject that cannot be kept", { claims: { sub: "ada\u0000" } }, /cannot be kept/],
    ["a sign-in in the year 300,000", { claims: { auth_time: 9_999_999_999_999 } }, /./],
    ["a mixed-up provider", { answer: { iss: "http://another.example" } }, /another provider/],
    ["an answer that names no provider", { answer: { iss: null } }, /another provider/],
    ["an answer at another provider's address", async () => ({ at: await addProvider() }), /another provider was asked/],
    ["an unverified address", { claims: { sub: "new", email_verified: false } }, /not verified/],
    ["an answer that this browser did not ask for", { cookie: null }, /nobody asked/],
    ["another state", { answer: { state: "another" } }, /state/],
    ["keys taken away", keysTakenAway, /key|JWKS|applicable/i],
    ["the provider's refusal", { answer: { error: "access_denied", code: null } }, /error/],
  ])("of %s is refused with an entry in the audit log and one public sentence", async (_what, lie, why) => {
    const provider = await addProvider();
    const before = (await refusals()).length;
    const asked = await ask(provider);
    const { response } = await answer(provider, asked, typeof lie === "function" ? await lie() : lie);
    expect(response.headers.get("location")).toBe("/console/sign-in?error=provider_refused");
    expect(cookiesOf(response).filter((each) => each.includes("session="))).toEqual([]);
    const logged = (await refusals()).slice(before);
    expect(logged).toEqual([expect.stringMatching(why)]);
  });

  it("of a code that was used before is refused, as is the same answer again", async () => {
    const provider = await addProvider();
    const asked = await ask(provider);
    const { query } = await answer(provider, asked);
    const again = await call(`callback/${provider}?${query}`, { cookie: asked.cookie });
    expect(again.headers.get("location")).toBe("/console/sign-in?error=provider_refused");
    const other = await ask(provider);
    query.set("state", other.state);
    const used = await call(`callback/${provider}?${query}`, { cookie: other.cookie });
    expect(used.headers.get("location")).toBe("/console/sign-in?error=provider_refused");
    expect((await refusals()).slice(-2)).toEqual(["nobody asked for this answer", expect.stringMatching(/error/)]);
  });

  it.each(["//evil.example/x", "https://evil.example", "/\\evil.example", "/console/../..//evil.example"])(
    "leads nowhere else: %s",
    async (next) => {
      const provider = await addProvider();
      const asked = await ask(provider, `?next=${encodeURIComponent(next)}`);
      const { response } = await answer(provider, asked);
      expect(response.headers.get("location")).toBe("/console");
    },
  );
});
