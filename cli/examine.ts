import { createHash } from "node:crypto";
import { z } from "zod";
import type { Profile } from "./profile.ts";
import { ask, type Clock, readBrand, readClock, readJson, unreachable } from "./service.ts";
import { sign } from "./signed.ts";

/** One check and its result. A fault needs fixing, and is explained in a sentence. */
export type Finding = { check: string; state: "ok" | "warning" | "fault" | "left out"; message: string };

export const ok = (check: string, message: string): Finding => ({ check, state: "ok", message });
export const warning = (check: string, message: string): Finding => ({ check, state: "warning", message });
export const fault = (check: string, message: string): Finding => ({ check, state: "fault", message });

const TOLERANCE_SECONDS = 300;
const NOTICEABLE_SECONDS = 30;

/** Whether the service can be reached, by this machine's clock, with this key and secret. Each step needs those before it. */
export async function examine(profile: Profile, signal: AbortSignal): Promise<Finding[]> {
  const clock = await readClock(profile.base_url, signal);
  if (typeof clock === "string") return [fault("reachability", clock)];
  const found = [ok("reachability", `${profile.base_url} is the service.`), judgeClock(clock)];
  try {
    const brand = await readBrand(profile.base_url, signal);
    if (brand !== null && brand.toLowerCase() !== profile.brand.toLowerCase())
      return [
        ...found,
        fault("headers", `The signing headers are called X-${brand}-… here, but X-${profile.brand}-… in the profile. Log in again.`),
      ];
    return [...found, ...(await examineKey(profile, clock, signal))];
  } catch (error) {
    if (signal.aborted) throw error;
    return [...found, fault("key", `/time answers, but a signed request does not: ${unreachable(profile.base_url, error)}`)];
  }
}

function judgeClock({ aheadSeconds }: Clock): Finding {
  const off = Math.abs(aheadSeconds);
  if (off <= NOTICEABLE_SECONDS) return ok("clock", "This machine's clock and the service's agree.");
  const message = `This machine's clock is ${off} s ${aheadSeconds > 0 ? "ahead of" : "behind"} the service's`;
  return off <= TOLERANCE_SECONDS
    ? warning("clock", `${message}. The tolerance is ${TOLERANCE_SECONDS} s.`)
    : fault("clock", `${message}. The tolerance is ${TOLERANCE_SECONDS} s. Correct it, for example with NTP.`);
}

/** Whatever a proxy could bend is in it: an escape, a tilde, an empty value, characters beyond ASCII. */
const TARGET = "/api/v1/echo?from=settle%20doctor&tilde=~&empty=";
const BODY = '{"from": "settle doctor", "sign": "é€"}';

/** One signed request without effect, with the service's own time, and what became of it. */
async function examineKey(profile: Profile, { service }: Clock, signal: AbortSignal): Promise<Finding[]> {
  const url = new URL(`${profile.base_url}${TARGET}`);
  const target = `${url.pathname}${url.search}`;
  const timestamp = String(Math.floor(service.getTime() / 1_000));
  const signed = await sign(profile, { method: "POST", target, body: BODY }, { timestamp });
  const answer = await ask(url.href, { method: "POST", headers: signed.headers.map(([name, value]) => [name, value]), body: BODY, signal });
  const refused = refusal.safeParse(await readJson(answer)).data ?? {};
  if (answer.status === 200)
    return [ok("key", `${shortened(profile.api_key)} is known.`), ok("signature", "It is valid."), judgeLimits(answer.headers)];
  const code = refused.code ?? null;
  if (code === null)
    return [
      fault("key", `A signed request was answered ${answer.status}, but not by the service. Something in between answers in its place.`),
    ];
  if (code === "signature_mismatch")
    return [
      ok("key", `${shortened(profile.api_key)} is known.`),
      fault("signature", explainMismatch(refused.received, { ...signed.parts, bytes: signed.bytes })),
    ];
  return [fault("key", explainKey(code, refused.detail ?? "", profile))];
}

const received = z.object({
  method: z.string(),
  path: z.string(),
  query: z.string(),
  body_length: z.number(),
  body_sha256: z.string(),
  signing_string_sha256: z.string(),
});
const refusal = z.object({ code: z.string().optional(), detail: z.string().optional(), received: received.optional() });

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

type Sent = { method: string; path: string; query: string; bytes: Uint8Array };

/** The service says what it read: where that is what was sent, it can only be the secret. */
function explainMismatch(read: z.infer<typeof received> | undefined, sent: Sent): string {
  if (read === undefined) return "The signature does not match, and the answer does not show what the service read.";
  const between = "Something in between (a proxy, a gateway) changed";
  if (read.path !== sent.path)
    return `${between} the path: ${sent.path} was signed and sent, ${read.path} arrived. Log in with the URL that the service itself sees.`;
  if (read.query !== sent.query) return `${between} the query: ${sent.query} was signed and sent, ${read.query} arrived.`;
  if (read.method !== sent.method) return `${between} the method: ${sent.method} was sent, ${read.method} arrived.`;
  if (read.body_sha256 !== sha256(BODY))
    return `${between} the body: ${Buffer.byteLength(BODY)} bytes were signed and sent, but ${read.body_length} different bytes arrived.`;
  if (read.signing_string_sha256 !== sha256(sent.bytes)) return `${between} the timestamp header.`;
  return "Everything arrived as signed and sent, but the signature does not match. The API secret does not belong to this key.";
}

function explainKey(code: string, detail: string, { api_key, base_url }: Profile): string {
  const key = shortened(api_key);
  const kinds: Record<string, string> = {
    unknown_api_key: `The service does not know the key ${key}. It is mistyped, or belongs to another installation than ${base_url}. A sandbox that started again from scratch has new keys, so log in again.`,
    revoked_api_key: `The key ${key} has expired or was revoked. Create a new one in the console, and log in with it.`,
    ip_not_allowed: `The key ${key} may not be used from this address: ${detail}`,
    partner_suspended: "The partner is suspended. Only the operator can reactivate it.",
    missing_credentials: `Something in between (a proxy, a gateway) removed headers of the request. ${detail}`,
    malformed_header: `Something in between (a proxy, a gateway) doubled headers of the request. ${detail}`,
    rate_limited: "The key has used up its rate limit for now. Send fewer requests at once.",
    stale_timestamp: `A timestamp of the service's own time was refused. Something in between delays requests, or the service's machines disagree on the time. ${detail}`,
  };
  return kinds[code] ?? `A signed request was refused: ${code}. ${detail}`;
}

function judgeLimits(headers: Headers): Finding {
  const policy = /"([^"]+)";q=(\d+);w=(\d+)/.exec(headers.get("ratelimit-policy") ?? "");
  const left = /;r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  if (policy === null || left === undefined) return ok("rate limit", "The answer shows none.");
  const message = `${policy[2]} requests of kind "${policy[1]}" in ${policy[3]} s, and ${left} are left right now.`;
  return left === "0" ? warning("rate limit", message) : ok("rate limit", message);
}

/** The part of a key that identifies it; the whole key stays hidden. */
export function shortened(apiKey: string): string {
  return `${apiKey.slice(0, 9)}…${apiKey.slice(-4)}`;
}
