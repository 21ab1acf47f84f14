import type { Header } from "#sandbox/client/exchange.ts";
import type { Forger } from "#testing/identity-forger.ts";
import { anything } from "./bad-requests.ts";
import type { Random } from "./random.ts";

/** What no identity provider and no directory would send, to the addresses at which this service hears them. */
export type BadIdentity = { method: string; target: string; headers: Header[]; body: Buffer | undefined };

/**
 * A provider whose answers can be forged, and its directory with the ids that it has. `ask`: begins a sign-in as a browser does. `session`: the
 * cookie of somebody who is signed in.
 */
export type Targets = {
  forger: Forger;
  providerId: string;
  token: string;
  session: string;
  ids: readonly string[];
  ask: () => Promise<Asked>;
};
/** What the browser then has, and what the provider was asked. */
export type Asked = { cookie: string; state: string; nonce: string };

const ODD = [
  "",
  "x",
  "null",
  "\u0000",
  "%00%ff",
  "ä💥".repeat(200),
  "a".repeat(5_000),
  "../..",
  "//elsewhere.example/\\",
  "javascript:alert(1)",
  "__proto__",
  "00000000-0000-4000-8000-000000000000",
  "eyJhbGciOiJub25lIn0.e30.",
  "dir_".padEnd(47, "x"),
  '{"a":1}',
];
const CLAIMS = ["iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "acr", "sid", "groups", "email", "email_verified", "name"];
const ORDER = ["iss", "sub", "aud", "exp", "iat", "jti", "sid", "events", "nonce"];
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };
const USER = ["userName", "externalId", "active", "displayName", "name", "emails", "id", "schemas", "password"];
const GROUP = ["displayName", "externalId", "members", "id"];
const PATHS = ["active", "userName", "name.givenName", "members", 'members[value eq "x"]', "emails[type eq 1]", "a.b.c", "__proto__.x", ""];
const FILTERS = [
  'userName eq "a"',
  'id eq "x"',
  'externalId eq "\\u0000"',
  'displayName eq "ä"',
  "userName sw 1",
  'userName eq "\\ud800"',
  "(",
  "",
];
/** So many are as a real one would send them: what lies behind the door is reached, too. */
const HONEST = 0.2;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** One for a provider's answer, its order to sign out, or its directory. */
export async function badIdentity(random: Random, targets: Targets): Promise<BadIdentity> {
  const kind = random.below(5);
  if (kind === 0) return start(random, targets);
  if (kind <= 2) return await callback(random, targets);
  return kind === 3 ? await signOut(random, targets) : directory(random, targets);
}

const textOf = (random: Random): string =>
  (random.chance(0.7) ? random.pick(ODD) : JSON.stringify(anything(random)).slice(0, 2_000)).toWellFormed();
/** What a client can put into a header. */
const asciiOf = (text: string) => text.replace(/[^ -~]/g, "");
const idOf = (random: Random, { providerId }: Targets) => (random.chance(0.9) ? providerId : encodeURIComponent(random.pick(ODD)));
const methodOr = (random: Random, method: string) => (random.chance(0.95) ? method : random.pick(METHODS));

function queryOf(random: Random, usual: Record<string, string>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(usual))
    if (random.chance(0.85)) query.append(name, random.chance(0.8) ? value : textOf(random));
  while (random.chance(0.2))
    query.append(random.pick(["code", "state", "iss", "error", "next", "ticket", "response", "id_token", "__proto__"]), textOf(random));
  return `${query}${random.chance(0.05) ? "&%&=%ff" : ""}`;
}

/** Claims of an honest token, some of them missing or replaced by anything. */
function changed(random: Random, usual: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const claims = { ...usual };
  for (let turn = random.below(4); turn > 0; turn -= 1) {
    const name = random.pick(names);
    if (random.chance(0.3)) delete claims[name];
    else
      claims[name] = random.chance(0.5) ? anything(random) : random.pick([textOf(random), -1, 1e12, Math.floor(Date.now() / 1_000), true]);
  }
  return claims;
}

async function tokenOf(random: Random, { forger }: Targets, claims: Record<string, unknown>): Promise<string> {
  if (random.chance(0.1)) return textOf(random);
  const header = random.chance(0.8) ? {} : { typ: textOf(random), [random.pick(["kid", "cty", "x"])]: textOf(random) };
  const token = await forger.sign(claims, header).catch(() => textOf(random));
  return random.chance(0.9) ? token : token.slice(0, random.below(token.length));
}

function start(random: Random, targets: Targets): BadIdentity {
  const query = queryOf(random, { next: "/console/treasury" });
  const target = `/api/oidc/start/${idOf(random, targets)}?${query}`;
  return { method: methodOr(random, "GET"), target, headers: cookies(random, targets.session), body: undefined };
}

/** The answer to a request that a browser made, with a code for a token that may be anything. */
async function callback(random: Random, targets: Targets): Promise<BadIdentity> {
  const { forger, ask } = targets;
  const { cookie, state, nonce } = await ask();
  const now = Math.floor(Date.now() / 1_000);
  const usual = {
    iss: forger.issuer,
    sub: random.hex(4),
    aud: "console",
    iat: now,
    exp: now + 300,
    auth_time: now,
    nonce,
    groups: ["all"],
  };
  const honest = { ...usual, email: `${random.hex(6)}@forge.example`, email_verified: true };
  const code = random.hex(8);
  const query = { code, state, iss: forger.issuer };
  if (random.chance(HONEST)) {
    forger.give(code, await forger.sign(honest));
    const target = `/api/oidc/callback/${targets.providerId}?${new URLSearchParams(query)}`;
    return { method: "GET", target, headers: [["Cookie", cookie]], body: undefined };
  }
  forger.give(code, await tokenOf(random, targets, changed(random, honest, CLAIMS)));
  const target = `/api/oidc/callback/${idOf(random, targets)}?${queryOf(random, query)}`;
  return { method: methodOr(random, "GET"), target, headers: cookies(random, cookie), body: undefined };
}

function cookies(random: Random, cookie: string): Header[] {
  const [name = ""] = cookie.split("=");
  return [["Cookie", random.chance(0.9) ? cookie : `${name}=${encodeURIComponent(random.pick(ODD))}`]];
}

async function signOut(random: Random, targets: Targets): Promise<BadIdentity> {
  const now = Math.floor(Date.now() / 1_000);
  const usual = {
    iss: targets.forger.issuer,
    aud: "console",
    iat: now,
    exp: now + 60,
    jti: random.hex(8),
    sub: random.hex(4),
    events: EVENTS,
  };
  const token = await tokenOf(random, targets, changed(random, usual, ORDER));
  const form = random.chance(0.9) ? queryOf(random, { logout_token: token }) : token;
  const type = random.chance(0.9) ? "application/x-www-form-urlencoded" : asciiOf(textOf(random));
  const target = `/api/oidc/sign-out/${idOf(random, targets)}`;
  return { method: methodOr(random, "POST"), target, headers: [["Content-Type", type]], body: Buffer.from(form) };
}

function directory(random: Random, { token, ids }: Targets): BadIdentity {
  const isNew = random.chance(HONEST);
  const resource = isNew
    ? random.pick(["Users", "Groups"])
    : random.pick(["Users", "Users", "Groups", "Groups", "ServiceProviderConfig", "Bulk", "%00"]);
  const id = random.chance(0.7) && ids.length > 0 ? random.pick(ids) : encodeURIComponent(random.pick(ODD));
  const method = isNew ? "POST" : random.pick(METHODS);
  const path = `${!isNew && random.chance(0.6) ? `/${id}` : ""}${!isNew && random.chance(0.3) ? listOf(random) : ""}`;
  const target = `/api/scim/v2/${resource}${path}`;
  const bearer = isNew || random.chance(0.95) ? token : asciiOf(textOf(random));
  const headers: Header[] = [
    ["Authorization", `Bearer ${bearer}`],
    ["Content-Type", random.chance(0.9) ? "application/scim+json" : "text/plain"],
  ];
  const fresh = { userName: random.hex(5), displayName: random.hex(5), externalId: random.hex(4) };
  const text = JSON.stringify(isNew ? fresh : resourceOf(random, resource === "Groups" ? GROUP : USER, ids)) ?? "";
  const body = Buffer.from(isNew || random.chance(0.95) ? text : text.slice(0, random.below(30)));
  return { method, target, headers, body: ["GET", "HEAD"].includes(method) ? undefined : body };
}

function listOf(random: Random): string {
  const [startIndex, count] = [random.pick(["1", "-1", "1e99", "9007199254740993", "x"]), random.pick(["0", "9e15", "-5", ""])];
  return `?filter=${encodeURIComponent(random.pick(FILTERS))}&startIndex=${startIndex}&count=${count}`;
}

/** A resource, or changes of one. */
function resourceOf(random: Random, names: readonly string[], ids: readonly string[]): unknown {
  if (random.chance(0.05)) return anything(random);
  const value = () =>
    random.chance(0.3) && ids.length > 0 ? [{ value: random.pick(ids) }] : random.chance(0.5) ? anything(random) : textOf(random);
  if (random.chance(0.5)) {
    const change = () => ({
      op: random.pick(["add", "Replace", "remove", "x"]),
      path: random.chance(0.8) ? random.pick(PATHS) : undefined,
      value: value(),
    });
    return { Operations: Array.from({ length: random.below(5) }, change) };
  }
  const odd = Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.pick(names), value()]));
  return { userName: random.hex(5), displayName: random.hex(5), ...odd };
}
