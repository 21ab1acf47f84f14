import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityProviders } from "#db/schema/identity-providers.ts";
import { clientSecretOf } from "#domain/sealed-place.ts";
import { createIdentityProviders } from "#server/adapters/identity/providers.ts";
import type { Context } from "#server/context.ts";
import { beginStepUp } from "#server/services/identity-providers/ask-provider.ts";
import { consoleParts } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { IdentityBrowser } from "#testing/identity-browser.ts";
import { enterAs, type LemonLdap, PASSWORD_CONTEXT, startLemonLdap } from "#testing/lemonldap.ts";
import { testContext } from "#testing/surface.ts";
import { handleIdentity } from "../identity.ts";
import { readSession } from "../read-session.ts";

/** The same service, and LemonLDAP::NG: a provider in another language, over loopback. Run by `npm run test:providers`. */

/** With characters that it compares as they come (`client-secret.test.ts`). */
const SECRET = "a-secret_of.the-client-alone";
/** Within this many seconds it does not ask for the password a second time (`portalForceAuthnInterval`). */
const ASKS_NOBODY_AGAIN_MS = 6_000;
const [usual, mistaken] = [randomUUID(), randomUUID()];
let database: TestDatabase;
let ctx: Context;
let web: ReturnType<typeof consoleParts>;
let real: LemonLdap;
beforeAll(async () => {
  database = await createTestDatabase();
  const loopback = { allowHttp: true, exemptHosts: ["127.0.0.1"] };
  ctx = { ...testContext(database.db), identityProviders: createIdentityProviders(loopback) };
  web = consoleParts(ctx);
  const redirectUris = [usual, mistaken].map((id) => `http://localhost:3000/api/oidc/callback/${id}`);
  real = await startLemonLdap({ secret: SECRET, redirectUris });
  await addProvider(usual, SECRET);
  await addProvider(mistaken, "another");
});
afterAll(async () => {
  await real?.close();
  await database.close();
});

async function addProvider(id: string, secret: string): Promise<void> {
  const roles = [
    { group: "treasury", role: "approver" as const },
    { group: "readers", role: "viewer" as const },
  ];
  const settings = { name: "LemonLDAP", issuer: real.issuer, clientId: "console", groupsClaim: "groups", roles };
  const row = { id, slug: `p-${id.slice(0, 8)}`, settings: { ...settings, demandedAcr: PASSWORD_CONTEXT, isDuty: false, keeperIds: [] } };
  const sealedClientSecret = ctx.vault.seal(secret, clientSecretOf(id));
  await database.db.insert(identityProviders).values({ ...row, sealedClientSecret, createdAt: new Date() });
}

async function call(target: string, cookie: string): Promise<Response> {
  const path = target.replace("/api/oidc/", "");
  const [plain = ""] = path.split("?");
  const headers = { "x-client-address": "10.3.3.5", cookie };
  const request = new Request(`http://localhost:3000/api/oidc/${path}`, { headers });
  return await handleIdentity(web, request, { params: Promise.resolve({ path: plain.split("/") }) });
}
const openBrowser = () => new IdentityBrowser(call);
const holderOf = ({ here }: IdentityBrowser) => readSession(ctx, web.config, () => here.get("settlement-3000.session"));
const REFUSED = /error=provider_refused$/;
const refusals = async () =>
  (await database.sql`select change ->> 'why' as why from audit_entries where action = 'identity.refused' order by id`).map(
    ({ why }) => why,
  );

describe("with LemonLDAP::NG", () => {
  it("signs in by a code with PKCE that counts once, with the role of the group, and knows the person again", async () => {
    const browser = openBrowser();
    const asked = { times: 0 };
    const { at, answer } = await browser.signIn(usual, enterAs("dwho", asked));
    expect([at, await refusals()]).toEqual(["/console", []]);
    const first = await holderOf(browser);
    expect(first).toMatchObject({ name: "Doctor Who", email: "dwho@badwolf.org", role: "approver", partnerId: null });
    expect((await browser.atService(answer)).headers.get("location")).toMatch(REFUSED);
    // Still signed in there: nobody is asked again.
    expect((await browser.signIn(usual, enterAs("dwho", asked))).at).toBe("/console");
    expect([asked.times, (await holderOf(browser))?.userId]).toEqual([1, first?.userId]);
    expect((await openBrowser().signIn(usual, enterAs("rtyler"))).at).toBe("/console");
    const roles = await database.sql`select role from users where email like '%badwolf.org' order by email`;
    expect(roles.map(({ role }) => role)).toEqual(["approver", "viewer"]);
  });

  it("lets nobody in without a group, and makes no person of them", async () => {
    const browser = openBrowser();
    expect((await browser.signIn(usual, enterAs("msmith"))).at).toMatch(REFUSED);
    expect([await holderOf(browser), (await refusals()).at(-1)]).toEqual([null, "none of the groups gives access"]);
    expect(await database.sql`select 1 from users where email like 'msmith%'`).toEqual([]);
  });

  it("refuses everybody where the client's secret is wrong, with the provider's reason in the audit log alone", async () => {
    const before = (await refusals()).length;
    const browser = openBrowser();
    expect((await browser.signIn(mistaken, enterAs("dwho"))).at).toMatch(REFUSED);
    expect([await holderOf(browser), (await refusals()).slice(before)]).toEqual([null, [expect.stringMatching(/./)]]);
  });

  it("steps up by the password that the provider asks for again, of the same person alone, under a new secret", async () => {
    const browser = openBrowser();
    const asked = { times: 0 };
    expect((await browser.signIn(usual, enterAs("dwho", asked))).at).toBe("/console");
    const session = await holderOf(browser);
    const before = browser.session();
    await database.sql`update sessions set stepped_up_at = null where id = ${session?.sessionId ?? ""}`;
    const ask = async (who: string) => {
      const { ticket } = await beginStepUp(ctx, { sessionId: session?.sessionId ?? "", target: "/console/treasury" });
      return (await browser.signIn(usual, enterAs(who, asked), `?ticket=${ticket}`)).at;
    };
    await new Promise((resolve) => setTimeout(resolve, ASKS_NOBODY_AGAIN_MS));
    expect(await ask("dwho")).toBe("/console/treasury");
    expect(asked.times).toBe(2);
    expect(await holderOf(browser)).toMatchObject({ sessionId: session?.sessionId, steppedUpByCode: true, provenByProvider: true });
    expect(await readSession(ctx, web.config, () => before)).toBeNull();
    browser.there.clear();
    expect(await ask("rtyler")).toMatch(REFUSED);
    expect((await refusals()).at(-1)).toBe("the subject has changed");
  });

  it("takes ID tokens of the key that the provider shows at that moment", async () => {
    await real.rotateKey();
    const browser = openBrowser();
    expect((await browser.signIn(usual, enterAs("dwho"))).at).toBe("/console");
    expect((await holderOf(browser))?.role).toBe("approver");
  });

  it("announces no back-channel sign-out, as the table of providers says", () => {
    expect(real.announced).toMatchObject({
      backchannel_logout_supported: false,
      code_challenge_methods_supported: expect.arrayContaining(["S256"]),
    });
  });
});
