import { setTimeout as sleep } from "node:timers/promises";
import { exchange, type Header } from "#sandbox/client/exchange.ts";
import { CLIENT } from "./identity-provider.ts";
import type { Asked } from "./session-probes.ts";

/** A person of the console, and the origin at which they reach it. */
type Person = { email: string; password: string };
const FORM: Header = ["Content-Type", "application/x-www-form-urlencoded"];
const TRIES = 60;

/** The cookies of a person who signs in at the console by its form. */
export async function signInByForm(origin: string, person: Person): Promise<string> {
  const kept = new Map<string, string>();
  const send = async (method: string, target: string, body?: string) => {
    const cookie: Header[] = kept.size === 0 ? [] : [["Cookie", [...kept].map(([name, value]) => `${name}=${value}`).join("; ")]];
    const answer = await exchange(origin, { method, target, headers: [FORM, ["Origin", origin], ...cookie], body });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      kept.set(name, value);
    }
    return answer;
  };
  const { csrfToken } = JSON.parse((await send("GET", "/api/auth/csrf")).text);
  const form = new URLSearchParams({ ...person, otp: "", csrfToken, json: "true", callbackUrl: "/console" });
  const enter = async () => await send("POST", "/api/auth/callback/credentials", String(form));
  let { status, text } = await enter();
  // Floods of sign-ins may have used up what one address may try.
  for (let tries = 0; status === 429 && tries < TRIES; tries += 1) {
    await sleep(1_000);
    ({ status, text } = await enter());
  }
  if (status !== 200) throw new Error(`nobody could sign in: ${status} ${text}`);
  return [...kept].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** A company's provider and directory at the service. */
export type CompanyHere = {
  providerId: string;
  /** Paths of its addresses here. */
  callback: string;
  signOut: string;
  /** A request of its directory, to that origin. Returns the resource's id. */
  directory(origin: string, method: string, target: string, body: object): Promise<string>;
};

/** An admin adds a provider whose group `readers` may read, and a token for its directory, as in the console. */
export async function addCompany(origin: string, admin: Person, issuer: string): Promise<CompanyHere> {
  const cookie = await signInByForm(origin, admin);
  const call = async (procedure: string, input: object) => {
    const headers: Header[] = [
      ["Cookie", cookie],
      ["Origin", origin],
      ["Content-Type", "application/json"],
    ];
    const target = `/api/trpc/${procedure}`;
    const { status, text } = await exchange(origin, { method: "POST", target, headers, body: JSON.stringify(input) });
    if (status !== 200) throw new Error(`${procedure} was answered ${status}: ${text}`);
    return JSON.parse(text).result.data;
  };
  const roles = [{ group: "readers", role: "viewer" }];
  const asked = { name: "Example", issuer, client_id: CLIENT.id, groups_claim: "groups", roles, demanded_acr: null };
  const settings = { ...asked, is_duty: false, keeper_ids: [] };
  const { id: providerId } = await call("identity.save", { slug: "example", settings, client_secret: CLIENT.secret });
  const { token } = await call("identity.makeDirectoryToken", { provider_id: providerId });
  return {
    providerId,
    callback: `/api/oidc/callback/${providerId}`,
    signOut: `/api/oidc/sign-out/${providerId}`,
    directory: async (at, method, target, body) => {
      const headers: Header[] = [
        ["Authorization", `Bearer ${token}`],
        ["Content-Type", "application/scim+json"],
      ];
      const { status, text } = await exchange(at, { method, target: `/api/scim/v2/${target}`, headers, body: JSON.stringify(body) });
      if (status >= 300) throw new Error(`the directory got ${status}: ${text}`);
      return String(JSON.parse(text).id);
    },
  };
}

/** What shuts a person out in SCIM's words, or lets them in again. */
export const toActive = (value: boolean) => ({ Operations: [{ op: "replace", path: "active", value }] });

const ME = "/api/trpc/session.me";
const STREAM = `/api/trpc/live.changes?input=${encodeURIComponent("{}")}`;

/** Who a session's person is, and its live stream, at an origin. Each port has its own name for the cookie. */
export function sessionAt(origin: string, session: string): { me: Asked; stream: Asked } {
  const header: Header = ["Cookie", `settlement-${new URL(origin).port}.session=${session}`];
  return { me: { origin, target: ME, header }, stream: { origin, target: STREAM, header } };
}
