import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { identityProviders } from "#db/schema/identity-providers.ts";
import { clientSecretOf } from "#domain/sealed-place.ts";
import { createIdentityProviders } from "#server/adapters/identity/providers.ts";
import type { Context } from "#server/context.ts";
import { consoleParts } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type Glewlwyd, startGlewlwyd } from "#testing/glewlwyd.ts";
import { IdentityBrowser } from "#testing/identity-browser.ts";
import { testContext } from "#testing/surface.ts";
import { handleIdentity } from "../identity.ts";
import { readSession } from "../read-session.ts";

/** The same service, and glewlwyd, over loopback. Run by `npm run test:providers`. */

const SECRET = "a-secret_of.the-client-alone";
const id = randomUUID();
let database: TestDatabase;
let ctx: Context;
let web: ReturnType<typeof consoleParts>;
let real: Glewlwyd;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { ...testContext(database.db), identityProviders: createIdentityProviders({ allowHttp: true, exemptHosts: ["127.0.0.1"] }) };
  web = consoleParts(ctx);
  real = await startGlewlwyd({ secret: SECRET, redirectUri: `http://localhost:3000/api/oidc/callback/${id}` });
  const settings = { name: "glewlwyd", issuer: real.issuer, clientId: "console", groupsClaim: "groups", roles: [], demandedAcr: null };
  const row = { id, slug: "glewlwyd", settings: { ...settings, isDuty: false, keeperIds: [] }, createdAt: new Date() };
  await database.db.insert(identityProviders).values({ ...row, sealedClientSecret: ctx.vault.seal(SECRET, clientSecretOf(id)) });
});
afterAll(async () => {
  await real?.close();
  await database.close();
});

async function call(target: string, cookie: string): Promise<Response> {
  const path = target.replace("/api/oidc/", "");
  const request = new Request(`http://localhost:3000/api/oidc/${path}`, { headers: { "x-client-address": "10.3.3.6", cookie } });
  return await handleIdentity(web, request, { params: Promise.resolve({ path: (path.split("?")[0] ?? "").split("/") }) });
}

it("gets as far as glewlwyd's ID token, which says that its sign-in was in 1970, and is refused for that", async () => {
  expect(real.announced).toMatchObject({ code_challenge_methods_supported: ["S256"] });
  const browser = new IdentityBrowser(call);
  expect((await browser.signIn(id, real.enter)).at).toMatch(/error=provider_refused$/);
  const refused = await database.sql`select change ->> 'why' as why from audit_entries where action = 'identity.refused'`;
  expect(refused.map(({ why }) => why)).toEqual([expect.stringMatching(/auth_time|elapsed/)]);
  expect(await readSession(ctx, web.config, () => browser.here.get("settlement-3000.session"))).toBeNull();
  expect(await database.sql`select 1 from users`).toEqual([]);
});
