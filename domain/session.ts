import { createHash, randomBytes } from "node:crypto";
import { type By, isDecider, refuseUnlessOperator, type UserRole } from "./access.ts";
import { Refusal } from "./refusal.ts";

/** A sign-in to the console ends this long after it began, whatever happens (real time). */
export const SESSION_LIFETIME_MS = 12 * 3_600_000;
/** And after this long without any use. */
export const SESSION_IDLE_MS = 2 * 3_600_000;
/** How long after the password or one-time code the session may do what needs a step-up (real time). */
const STEP_UP_MS = 5 * 60_000;

/** Whether the session's person has given password or one-time code just now. */
export function isSteppedUp({ steppedUpAt }: { steppedUpAt: Date | null }, now: Date): boolean {
  return steppedUpAt !== null && now.getTime() < steppedUpAt.getTime() + STEP_UP_MS;
}

/**
 * A person needs a recent password or one-time code (real time), on every surface. A key, which proves itself with every request, and the
 * service itself need no more.
 *
 * @throws Refusal `step_up_required`.
 */
export function refuseUnlessProven({ actor, proof }: By, realNow: Date): void {
  if (actor.type === "user" && !isSteppedUp({ steppedUpAt: proof?.at ?? null }, realNow)) throw new Refusal("step_up_required");
}

/** What an administrator orders about money, prices, partners and people: with the right to, and proven. @throws Refusal `forbidden`, `step_up_required`. */
export function refuseUnlessAdministrator(by: By, realNow: Date): void {
  refuseUnlessOperator(by.actor, "administer");
  refuseUnlessProven(by, realNow);
}

/** Whose one session moves other people's money or makes keys: these need more than a password where the installation says so. */
function needsTwoFactors(role: UserRole): boolean {
  return isDecider(role) || role === "owner";
}

/** People who decide need a second factor. In live mode everybody does, because even people who only read see members and their accounts. */
export type EntryRules = { requireTotpForDeciders: boolean; requireTotpForAll?: boolean };

/** Whether somebody of that role cannot be without a second factor. */
export function requiresFactor(role: UserRole, rules: EntryRules): boolean {
  return rules.requireTotpForAll === true || (rules.requireTotpForDeciders && needsTwoFactors(role));
}

/** Whether such a person must first enrol a second factor. `provenByProvider`: the company's provider has proven one for this session. */
export function mustEnrol(person: { role: UserRole; provenByProvider?: boolean } & Factors, rules: EntryRules): boolean {
  return !hasSecondFactor(person) && person.provenByProvider !== true && requiresFactor(person.role, rules);
}

/** A person's second factors: an authenticator app's codes, passkeys. */
export type Factors = { hasTotp: boolean; hasPasskey: boolean };

export function hasSecondFactor({ hasTotp, hasPasskey }: Factors): boolean {
  return hasTotp || hasPasskey;
}

/** The browser keeps it encrypted, the database only its hash. */
export function newSessionSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function sessionHash(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}
