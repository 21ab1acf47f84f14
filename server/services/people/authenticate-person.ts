import { createHash } from "node:crypto";
import { isKnownOrigin, saveOrigin } from "#db/queries/login-origins.ts";
import { type Budget, giveBack, takeFromBudget } from "#db/queries/login-throttles.ts";
import { findUserByEmail, spendTotpStep, type UserRecord } from "#db/queries/users.ts";
import type { Uses } from "#server/context.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { matchTotp } from "#server/domain/totp.ts";

export type Credentials = {
  email: string;
  password: string;
  /** The one-time code, if one was given. */
  otp: string | null;
  /** Where the request comes from. */
  address: string;
  /** Whose door it is: people of the other kind are nobody there. */
  of: "operator" | "partner" | "anybody";
};

type Powers = Uses<"db" | "clock" | "passwords" | "vault">;

const KNOWN_ORIGIN_MS = 30 * 86_400_000;

/**
 * The person whose credentials these are. Tries are counted by account and address, by address, and by account over all addresses
 * from which it never signed in: so nobody's guessing elsewhere keeps a person out where it is at home. A right log-in costs no try.
 * Who is unknown, disabled or of the other kind takes the same time and the same answer as a wrong password. Real time.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`.
 */
export async function authenticatePerson(ctx: Powers, credentials: Credentials): Promise<UserRecord> {
  const email = credentials.email.trim().toLowerCase();
  const now = ctx.clock.now();
  const isKnown = await isKnownOrigin(ctx.db, email, credentials.address, new Date(now.getTime() - KNOWN_ORIGIN_MS));
  const budgets = budgetsOf(email, credentials.address, isKnown);
  await takeTry(ctx, budgets, now);
  const user = admissible(await findUserByEmail(ctx.db, email), credentials.of);
  if (!(await ctx.passwords.verify(user?.passwordHash ?? null, credentials.password)) || user === null) throw refused();
  await checkTotp(ctx, user, credentials.otp, now);
  await ctx.db.transaction(async (tx) => {
    for (const budget of budgets) await giveBack(tx, budget);
    await saveOrigin(tx, user.id, credentials.address, now);
  });
  return user;
}

/** From the smallest to the widest, always in this order: transactions that take several never wait for each other in a circle. */
function budgetsOf(email: string, address: string, isKnown: boolean): Budget[] {
  const own = budget(`account and address: ${email} ${address}`, 10, 20);
  if (isKnown) return [own];
  return [own, budget(`address: ${address}`, 50, 6), budget(`account: ${email}`, 50, 10)];
}

function budget(what: string, burst: number, seconds: number): Budget {
  return { key: createHash("sha256").update(what).digest("hex"), burst, intervalMs: seconds * 1_000 };
}

/** Out of all budgets, or out of none. */
async function takeTry(ctx: Powers, budgets: readonly Budget[], now: Date): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    for (const each of budgets) {
      const waitMs = await takeFromBudget(tx, each, now);
      if (waitMs === null) continue;
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
      throw new Refusal("rate_limited", { detail: "Too many failed log-ins. Wait a little and try again.", retryAfterSeconds });
    }
  });
}

function admissible(user: UserRecord | null, of: Credentials["of"]): UserRecord | null {
  if (user === null || user.disabledAt !== null) return null;
  return of === "anybody" || (user.partnerId === null) === (of === "operator") ? user : null;
}

/** @throws Refusal `invalid_credentials` when a code is asked for and this is not it, or was used before. */
async function checkTotp(ctx: Powers, user: UserRecord, otp: string | null, now: Date): Promise<void> {
  if (user.sealedTotpSecret === null) return;
  const secret = Buffer.from(ctx.vault.open(user.sealedTotpSecret), "base64");
  const step = otp === null ? null : matchTotp(secret, otp, now);
  if (step === null || !(await spendTotpStep(ctx.db, user.id, step))) throw refused();
}

function refused(): Refusal {
  return new Refusal("invalid_credentials");
}
