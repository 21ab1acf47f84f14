import { expect, it } from "vitest";
import { requestSecretsOf } from "#domain/identity-provider.ts";
import { startForger } from "#testing/identity-forger.ts";
import { createIdentityProviders } from "./providers.ts";

it("sends a client's secret so that providers know it which decode it, and those that do not", async () => {
  const forger = await startForger();
  const providers = createIdentityProviders({ allowHttp: true, exemptHosts: ["127.0.0.1"] });
  const sentFor = async (clientSecret: string) => {
    const secrets = requestSecretsOf("a-request");
    const client = { issuer: forger.issuer, clientId: "our-console", clientSecret, redirectUri: "http://localhost/callback" };
    const url = new URL(`http://localhost/callback?${new URLSearchParams({ code: "one", state: secrets.state, iss: forger.issuer })}`);
    await expect(providers.redeem({ client, secrets, acr: null, freshly: false, url, groupsClaim: "groups" })).rejects.toThrow();
    return Buffer.from(forger.authorization?.replace("Basic ", "") ?? "", "base64").toString();
  };
  // As base64url has them: LemonLDAP::NG and glewlwyd decode nothing.
  expect(await sentFor("a-secret_of.the-client")).toBe("our-console:a-secret_of.the-client");
  // RFC 6749, 2.3.1: what would end the name, and what a form cannot hold, is encoded.
  expect(await sentFor("a:b%c d+é")).toBe("our-console:a%3Ab%25c+d%2B%C3%A9");
  await forger.close();
});
