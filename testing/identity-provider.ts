import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Provider } from "oidc-provider";
import type { AtProvider, IdentityBrowser } from "./identity-browser.ts";

/** Whom the provider knows, by account. */
export type Account = { name: string; email: string; groups: string[] };
/** What this service is to the provider. */
type Registered = { redirectUri: string; signOutUri: string };

export const CLIENT = { id: "console", secret: "a-secret-of-the-client-alone" };
/** The authentication context of a sign-in with "Second factor" ticked. */
export const STRONG = "urn:example:two-factors";

/** A real OpenID provider (oidc-provider) on loopback, with a sign-in form of its own. */
export type RealProvider = {
  issuer: string;
  accounts: Map<string, Account>;
  /** Makes this service its client; nobody can sign in before. */
  register: (client: Registered) => void;
  /** How often somebody was asked who they are. */
  asked: () => number;
  close: () => Promise<void>;
};

/** Starts one. Its library is loaded here: hundreds of modules, which most who know the client's name do not need. */
export async function startProvider(): Promise<RealProvider> {
  const library = await import("oidc-provider");
  let provider: Provider | null = null;
  let asked = 0;
  const accounts = new Map<string, Account>();
  const server = createServer((request, response) => {
    const serve = async () => {
      if (provider === null) return void response.writeHead(503).end();
      if (!request.url?.startsWith("/sign-in/")) return void (await provider.callback()(request, response));
      if (request.method === "GET") asked += 1;
      await signIn(provider, request, response);
    };
    serve().catch((error: unknown) => void response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    accounts,
    register: (client) => {
      provider = openProvider(library, { issuer, accounts }, client);
    },
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

type Library = typeof import("oidc-provider");
type Named = Pick<RealProvider, "issuer" | "accounts">;

function openProvider(library: Library, { issuer, accounts }: Named, { redirectUri, signOutUri }: Registered): Provider {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider: Provider = new library.Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: "ES256",
        backchannel_logout_uri: signOutUri,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "signs", alg: "ES256", use: "sig" }] },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    acrValues: [STRONG],
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
    // It would not speak with this machine.
    fetch: async (url, options) => await fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    findAccount: async (_ctx, id) => {
      const account = accounts.get(id);
      return account && { accountId: id, claims: async () => ({ sub: id, email_verified: true, ...account }) };
    },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  return provider;
}

/** Signs in as that account wherever the provider asks. `acr`: the authentication context that it then proves. */
export function enterAs(account: string, acr = ""): AtProvider {
  return async (browser, url) => {
    let next = url;
    while (next.origin === url.origin) {
      const page = await browser.atProvider(next);
      const form = new URLSearchParams({ account, ...(acr !== "" && { acr }) });
      const answer = page.status === 200 ? await browser.atProvider(next, { method: "POST", body: form }) : page;
      next = new URL(answer.headers.get("location") ?? "", next);
    }
    return next;
  };
}

/** Signs the browser's person out at the provider, which orders it here before it answers. */
export async function signOutAt({ issuer }: Pick<RealProvider, "issuer">, browser: IdentityBrowser): Promise<void> {
  const page = await (await browser.atProvider(`${issuer}/session/end`)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ xsrf, logout: "yes" });
  const { status } = await browser.atProvider(`${issuer}/session/end/confirm`, { method: "POST", body });
  if (status !== 303) throw new Error(`the provider answered the sign-out with ${status}`);
}

const FORM = `<!doctype html><html lang="en"><title>Sign in at Example</title><form method="post"><label>Account <input name="account"></label>
<label><input type="checkbox" name="acr" value="${STRONG}"> Second factor</label><button>Go on</button></form></html>`;

async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST") return void response.writeHead(200, { "content-type": "text/html" }).end(FORM);
  let body = "";
  for await (const chunk of request) body += chunk;
  const form = new URLSearchParams(body);
  const acr = form.get("acr");
  const login = { accountId: form.get("account") ?? "", ...(acr !== null && { acr }) };
  await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
}
