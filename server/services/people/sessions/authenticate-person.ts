import { isKnownOrigin, saveOrigin } from "#db/queries/people/login-origins.ts";
import type { Budget } from "#db/queries/people/login-throttles.ts";
import { findUserByEmail, type UserRecord } from "#db/queries/people/users.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { guardTries, triesFor } from "#server/services/access/guard-tries.ts";
import { spendCode } from "#server/services/people/second-factor/spend-code.ts";

export type Credentials = {
  email: string;
  password: string;
  /** The one-time code or a recovery code, if one was given. */
  otp: string | null;
  /** Where the request comes from. */
  address: string;
  /** Whose door it is: people of the other kind are nobody there. Only where everybody signs in is a missing code asked for by name. */
  of: "operator" | "partner" | "anybody";
  requestId: string | null;
};

type Powers = Uses<"db" | "clock" | "passwords" | "vault">;

const KNOWN_ORIGIN_MS = 30 * 86_400_000;

/**
 * The person whose credentials these are. Tries are counted by account and address, by address, and by account over all addresses
 * from which it never signed in: so nobody's guessing elsewhere keeps a person out where it is at home. A right log-in costs no try.
 * Who is unknown, disabled or of the other kind takes the same time and the same answer as a wrong password. Real time.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, `one_time_code_required` (the password was right).
 */
export async function authenticatePerson(ctx: Powers, credentials: Credentials): Promise<UserRecord> {
  const email = credentials.email.trim().toLowerCase();
  const now = ctx.clock.now();
  const isKnown = await isKnownOrigin(ctx.db, email, credentials.address, new Date(now.getTime() - KNOWN_ORIGIN_MS));
  const user = await guardTries(ctx, budgetsOf(email, credentials.address, isKnown), async () => {
    const found = admissible(await findUserByEmail(ctx.db, email), credentials.of);
    if (!(await ctx.passwords.verify(found?.passwordHash ?? null, credentials.password)) || found === null) throw refused();
    await checkCode(ctx, found, credentials);
    return found;
  });
  await saveOrigin(ctx.db, user.id, credentials.address, now);
  return user;
}

/** The budget of one person at one place: also what a person who is signed in proves itself within. */
export function triesAt(email: string, address: string): Budget {
  return triesFor(`account and address: ${email} ${address}`, 10, 20);
}

function budgetsOf(email: string, address: string, isKnown: boolean): Budget[] {
  const own = triesAt(email, address);
  if (isKnown) return [own];
  return [own, triesFor(`address: ${address}`, 50, 6), triesFor(`account: ${email}`, 50, 10)];
}

function admissible(user: UserRecord | null, of: Credentials["of"]): UserRecord | null {
  if (user === null || user.disabledAt !== null) return null;
  return of === "anybody" || (user.partnerId === null) === (of === "operator") ? user : null;
}

/** @throws Refusal when a code is wanted and this is none, or was used before. */
async function checkCode(ctx: Powers, user: UserRecord, { otp, of, requestId }: Credentials): Promise<void> {
  if (user.sealedTotpSecret === null) return;
  if (otp === null && of === "anybody") throw new Refusal("one_time_code_required");
  if (otp === null || (await spendCode(ctx, user, otp, requestId)) === null) throw refused();
}

function refused(): Refusal {
  return new Refusal("invalid_credentials");
}
