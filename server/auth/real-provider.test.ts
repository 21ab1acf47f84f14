import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityProviders } from "#db/schema/identity-providers.ts";
import { clientSecretOf } from "#domain/sealed-place.ts";
import { createIdentityProviders } from "#server/adapters/identity/providers.ts";
import type { Context } from "#server/context.ts";
import { beginStepUp } from "#server/services/identity-providers/ask-provider.ts";
import { consoleParts } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { IdentityBrowser } from "#testing/identity-browser.ts";
import { CLIENT, enterAs, type RealProvider, STRONG, signOutAt, startProvider } from "#testing/identity-provider.ts";
import { testContext } from "#testing/surface.ts";
import { handleIdentity } from "./identity.ts";
import { readSession } from "./read-session.ts";

/** The same service, and a provider that somebody else wrote: oidc-provider, over loopback. */

let database: TestDatabase;
let ctx: Context;
let web: ReturnType<typeof consoleParts>;
let real: RealProvider;
let front: Server;
const strict = randomUUID();
const usual = randomUUID();
beforeAll(async () => {
  database = await createTestDatabase();
  const loopback = { allowHttp: true, exemptHosts: ["127.0.0.1"] };
  ctx = { ...testContext(database.db), identityProviders: createIdentityProviders(loopback) };
  web = consoleParts(ctx);
  front = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { status } = await call(String(request.url).replace("/api/oidc/", ""), { method: "POST", body: new URLSearchParams(body) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  real = await startProvider();
});
afterAll(async () => {
  await real.close();
  await new Promise((resolve) => front.close(resolve));
  await database.close();
});

async function addProvider(id: string, demandedAcr: string | null): Promise<string> {
  const roles = [
    { group: "treasury", role: "approver" as const },
    { group: "readers", role: "viewer" as const },
  ];
  const settings = { name: "Example", issuer: real.issuer, clientId: CLIENT.id, groupsClaim: "groups", roles, demandedAcr };
  const sealedClientSecret = ctx.vault.seal(CLIENT.secret, clientSecretOf(id));
  const row = { id, slug: `p-${id.slice(0, 8)}`, settings: { ...settings, isDuty: false, keeperIds: [] }, sealedClientSecret };
  await database.db.insert(identityProviders).values({ ...row, createdAt: new Date() });
  const place = `http://127.0.0.1:${(front.address() as AddressInfo).port}/api/oidc/sign-out/${id}`;
  real.register({ redirectUri: `http://localhost:3000/api/oidc/callback/${id}`, signOutUri: place });
  return id;
}

async function call(path: string, { cookie, ...init }: { cookie?: string; method?: string; body?: BodyInit } = {}): Promise<Response> {
  const [plain = ""] = path.split("?");
  const headers = { "x-client-address": "10.3.3.4", ...(cookie !== undefined && { cookie }) };
  const request = new Request(`http://localhost:3000/api/oidc/${path}`, { ...init, headers });
  return await handleIdentity(web, request, { params: Promise.resolve({ path: plain.split("/") }) });
}

const openBrowser = () => new IdentityBrowser((target, cookie) => call(target.replace("/api/oidc/", ""), { cookie }));
const holderOf = ({ here }: IdentityBrowser) => readSession(ctx, web.config, () => here.get("settlement-3000.session"));

const lastRefusal = async () =>
  (await database.sql`select change ->> 'why' as why from audit_entries where action = 'identity.refused' order by id desc limit 1`)[0]
    ?.why;

describe("with a real provider", () => {
  it("signs in by a code that counts once, with the role of the group at that moment, and nobody without a group", async () => {
    const provider = await addProvider(usual, null);
    real.accounts.set("ada", { name: "Ada", email: "ada@real.example", groups: ["cooks", "treasury"] });
    const browser = openBrowser();
    const { at, answer } = await browser.signIn(provider, enterAs("ada"));
    expect(at).toBe("/console");
    const first = await holderOf(browser);
    expect(first).toMatchObject({ name: "Ada", email: "ada@real.example", role: "approver", partnerId: null });
    expect((await browser.atService(answer)).headers.get("location")).toBe("/console/sign-in?error=provider_refused");
    real.accounts.set("ada", { name: "Ada", email: "ada@real.example", groups: ["readers"] });
    // Still signed in at the provider: nobody is asked again.
    const asked = real.asked();
    expect((await browser.signIn(provider, enterAs("ada"))).at).toBe("/console");
    expect([real.asked(), (await holderOf(browser))?.userId, (await holderOf(browser))?.role]).toEqual([asked, first?.userId, "viewer"]);
    real.accounts.set("ada", { name: "Ada", email: "ada@real.example", groups: ["cooks"] });
    expect((await browser.signIn(provider, enterAs("ada"))).at).toBe("/console/sign-in?error=provider_refused");
    expect([await lastRefusal(), await holderOf(browser)]).toEqual(["none of the groups gives access", null]);
  });

  it("ends all sessions that the provider opened before the person reads that they are signed out there", async () => {
    real.accounts.set("bob", { name: "Bob", email: "bob@real.example", groups: ["readers"] });
    const browser = openBrowser();
    await browser.signIn(usual, enterAs("bob"));
    const one = await holderOf(browser);
    const elsewhere = browser.here.get("settlement-3000.session");
    await browser.signIn(usual, enterAs("bob"));
    expect([one?.role, (await holderOf(browser))?.userId]).toEqual(["viewer", one?.userId]);
    await signOutAt(real, browser);
    expect([await holderOf(browser), await readSession(ctx, web.config, () => elsewhere)]).toEqual([null, null]);
    const entries = await database.sql`select change ->> 'sessions_ended' as ended from audit_entries
      where action = 'user.signed_out_by_provider' and object_id = ${one?.userId ?? ""}`;
    expect(entries.map((entry) => entry.ended)).toEqual(["2"]);
  });

  it("steps up by a sign-in that the provider asks for although it knows the person, and only with the demanded context", async () => {
    const provider = await addProvider(strict, STRONG);
    real.accounts.set("eve", { name: "Eve", email: "eve@real.example", groups: ["treasury"] });
    const browser = openBrowser();
    expect((await browser.signIn(provider, enterAs("eve"))).at).toMatch(/error=provider_refused/);
    expect(await lastRefusal()).toBe("the provider did not prove the second factor");
    expect((await openBrowser().signIn(provider, enterAs("eve", STRONG))).at).toBe("/console");
    browser.there.clear();
    expect((await browser.signIn(provider, enterAs("eve", STRONG))).at).toBe("/console");
    const sessionId = (await holderOf(browser))?.sessionId ?? "";
    await database.sql`update sessions set stepped_up_at = null where id = ${sessionId}`;
    const ask = async (acr: string) => {
      const { ticket } = await beginStepUp(ctx, { sessionId, target: "/console/treasury" });
      return (await browser.signIn(provider, enterAs("eve", acr), `?ticket=${ticket}`)).at;
    };
    const asked = real.asked();
    expect(await ask("")).toMatch(/error=provider_refused/);
    expect((await holderOf(browser))?.steppedUpAt).toBeNull();
    expect(await ask(STRONG)).toBe("/console/treasury");
    expect(real.asked()).toBe(asked + 2);
    expect(await holderOf(browser)).toMatchObject({ steppedUpByCode: true, provenByProvider: true });
  });
});
