import { execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { findFreePort } from "#sandbox/free-port.ts";
import type { AtProvider } from "./identity-browser.ts";
import { stopGroup } from "./lemonldap.ts";

/** glewlwyd as Debian installs it, with a database of its own. Its pages are programs: this does what they do. */

const PROGRAM = "/usr/bin/glewlwyd";
const SCHEMA = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz";
export const GLEWLWYD_PACKAGES = "glewlwyd sqlite3";
const FILES = [PROGRAM, SCHEMA, "/usr/bin/sqlite3"];
const PERSON = { username: "ada", name: "Ada", email: "ada@example.com", password: "ada-password-1" };

export type Glewlwyd = { issuer: string; announced: Record<string, unknown>; enter: AtProvider; close: () => Promise<void> };

/** Starts one on a free port of loopback, with this service as its client. */
export async function startGlewlwyd(client: { secret: string; redirectUri: string }): Promise<Glewlwyd> {
  const folder = mkdtempSync(join(tmpdir(), "glewlwyd-"));
  const port = await findFreePort();
  const api = `http://127.0.0.1:${port}/api`;
  execFileSync("/usr/bin/sqlite3", [join(folder, "database")], { input: gunzipSync(readFileSync(SCHEMA)) });
  writeFileSync(join(folder, "settings"), settingsOf(folder, port));
  const server = spawn(PROGRAM, [`--config-file=${join(folder, "settings")}`], { detached: true, stdio: "ignore" });
  const close = async () => {
    await stopGroup(server);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const cookie = await signIn(api, "admin", "password");
    const add = async (path: string, body: object) => await post(`${api}/${path}/`, cookie, body);
    await add("mod/plugin", { module: "oidc", name: "oidc", display_name: "oidc", parameters: plugin(api), enabled: true });
    await add("user", { ...PERSON, enabled: true, scope: ["openid"] });
    const kept = { password: client.secret, client_secret: client.secret, redirect_uri: [client.redirectUri], scope: [] };
    const how = { confidential: true, authorization_type: ["code"], token_endpoint_auth_method: ["client_secret_basic"], enabled: true };
    await add("client", { client_id: "console", name: "console", ...kept, ...how });
    const announced = await fetch(`${api}/oidc/.well-known/openid-configuration`);
    return { issuer: `${api}/oidc`, announced: (await announced.json()) as Record<string, unknown>, enter: enterAt(api), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function enterAt(api: string): AtProvider {
  return async (browser, url) => {
    const [name = "", value = ""] = (await signIn(api, PERSON.username, PERSON.password)).split("=");
    browser.there.set(name, value);
    const headers = { "content-type": "application/json" };
    await browser.atProvider(`${api}/auth/grant/console`, { method: "PUT", headers, body: JSON.stringify({ scope: "openid" }) });
    const answer = await browser.atProvider(`${url}&g_continue`);
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    return new URL(location);
  };
}

/** The cookie of a session there, as soon as it answers. */
async function signIn(api: string, username: string, password: string): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const body = JSON.stringify({ username, password });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body, signal: AbortSignal.timeout(5_000) };
    const answer = await fetch(`${api}/auth/`, init).catch(() => null);
    if (answer?.status === 200) return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("glewlwyd does not answer");
}

async function post(url: string, cookie: string, body: object): Promise<void> {
  const headers = { cookie, "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`glewlwyd answered ${url} with ${answer.status}: ${await answer.text()}`);
}

function settingsOf(folder: string, port: number): string {
  const modules = ["user", "client", "plugin"].map((kind) => `${kind}_module_path="/usr/lib/glewlwyd/${kind}"`);
  return `port=${port}
bind_address="127.0.0.1"
external_url="http://127.0.0.1:${port}/"
login_url="login.html"
api_prefix="api"
cookie_secure=0
log_mode="file"
log_level="ERROR"
log_file="${folder}/log"
admin_scope="g_admin"
profile_scope="g_profile"
${modules.join("\n")}
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
hash_algorithm = "SHA512"
database = { type = "sqlite3" path = "${folder}/database" };
`;
}

function plugin(api: string) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const off = ["token", "none", "password", "client", "device", "refresh"].map((kind) => [`auth-type-${kind}-enabled`, false]);
  return {
    iss: `${api}/oidc`,
    key: privateKey.export({ format: "pem", type: "pkcs8" }),
    cert: publicKey.export({ format: "pem", type: "spki" }),
    "jwt-type": "rsa",
    "jwt-key-size": "256",
    "access-token-duration": 3_600,
    "refresh-token-duration": 3_600,
    "code-duration": 600,
    "refresh-token-rolling": true,
    "allow-non-oidc": false,
    "auth-type-code-enabled": true,
    "auth-type-id-token-enabled": true,
    ...Object.fromEntries(off),
    scope: [],
    "additional-parameters": [],
    claims: [],
    "pkce-allowed": true,
    "pkce-method-plain-allowed": false,
    "pkce-required": true,
    "subject-type": "public",
    "jwks-show": true,
    "name-claim": "mandatory",
    "email-claim": "mandatory",
    "scope-claim": "no",
    "address-claim": { type: "no" },
    "back-channel-logout-allowed": true,
    "front-channel-logout-allowed": false,
    "session-management-allowed": true,
    "session-cookie-name": "GLEWLWYD2_OIDC_SID",
    "session-cookie-expiration": 86_400,
    "client-secret-parameter": "client_secret",
  };
}

/** The first of its files that this machine lacks; null: it can run. */
export function glewlwydLacks(): string | null {
  return FILES.find((file) => !existsSync(file)) ?? null;
}
