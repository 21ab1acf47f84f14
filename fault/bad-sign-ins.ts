import type { Header } from "#sandbox/client/exchange.ts";
import { anything } from "./bad-requests.ts";
import type { Random } from "./random.ts";

/** Sign-ins that no browser would send: what a stranger can reach without a session, and what proves a person within one. */
export type BadSignIn = { method: "POST" | "GET"; target: string; headers: Header[]; body: Buffer | undefined };

const FORMS = ["/api/auth/callback/credentials", "/api/auth/callback/credentials?json=true", "/api/auth/signout", "/login"];
const PROCEDURES = [
  "session.stepUp",
  "session.askPasskey",
  "session.stepUpByPasskey",
  "session.signInByPasskey",
  "people.accept",
  "account.addPasskey",
];
const FIELDS = [
  "email",
  "username",
  "password",
  "otp",
  "ticket",
  "answer",
  "csrfToken",
  "callbackUrl",
  "json",
  "redirect",
  "grant_type",
  "__proto__",
];
const TEXTS = [
  "",
  "admin@example.com",
  "ADMIN@EXAMPLE.COM ",
  "a@b",
  `${"a".repeat(5_000)}@example.com`,
  "000000",
  "ABCD-EFGH-IJKL-MNOP-QRST-UVWX",
  "inv_".padEnd(47, "x"),
  "https://elsewhere.example",
  "//elsewhere.example/\\",
  "javascript:alert(1)",
  "\u0000",
  "\ud800",
  "%00%ff",
  "ä💥".repeat(200),
  "[object Object]",
  '{"id":"x","response":{"clientDataJSON":"e30","signature":"","authenticatorData":""},"type":"public-key"}',
  "null",
  "true",
];

/** `csrf`: the token that belongs to the cookie; some requests bring it, so that they reach what lies behind. */
export function badSignIn(random: Random, { csrf, cookie, origin }: { csrf: string; cookie: string; origin: string }): BadSignIn {
  const headers: Header[] = random.chance(0.8) ? [["Cookie", cookie]] : [];
  headers.push(["Origin", random.chance(0.9) ? origin : "https://elsewhere.example"]);
  if (random.chance(0.4)) {
    const input = random.chance(0.5) ? anything(random) : fieldsOf(random);
    const body = Buffer.from(JSON.stringify(input));
    return {
      method: "POST",
      target: `/api/trpc/${random.pick(PROCEDURES)}`,
      headers: [...headers, ["Content-Type", "application/json"]],
      body,
    };
  }
  const form = new URLSearchParams(Object.entries(fieldsOf(random)).map(([name, value]) => [name, value.toWellFormed()]));
  if (random.chance(0.8)) form.set("csrfToken", csrf);
  const text = random.chance(0.1) ? `${form}&password=a&password=b&=&%` : String(form);
  headers.push(["Content-Type", "application/x-www-form-urlencoded"]);
  return { method: random.chance(0.95) ? "POST" : "GET", target: random.pick(FORMS), headers, body: Buffer.from(text) };
}

function fieldsOf(random: Random): Record<string, string> {
  return Object.fromEntries(Array.from({ length: random.below(7) }, () => [random.pick(FIELDS), random.pick(TEXTS)]));
}
