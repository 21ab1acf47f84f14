import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { type Budget, isKnownOrigin, saveOrigin, takeFromBudget } from "#db/queries/people/login-tries.ts";
import { countPasskeys } from "#db/queries/people/passkeys.ts";
import { readSecrets } from "#db/queries/people/person-secrets.ts";
import { markSteppedUp } from "#db/queries/people/sessions.ts";
import { findUser, findUserByEmail, type UserRecord } from "#db/queries/people/users.ts";
import { type ByPerson, SYSTEM } from "#domain/access.ts";
import { addressBlock } from "#domain/address-block.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { hasSecondFactor, newSessionSecret, sessionHash } from "#domain/session.ts";
import type { DecisionSignature } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";
import { guardTries, triesFor } from "#server/services/access/guard-tries.ts";
import { askPasskey, type DeviceAnswer, provePasskey, readSignature } from "#server/services/people/second-factor/passkey-proof.ts";
import { type SpentCode, spendCode } from "#server/services/people/second-factor/recovery-codes.ts";
import { refuseUnlessPasswordServes } from "./single-sign-on.ts";

export type Credentials = {
  email: string;
  password: string;
  /** The one-time code or a recovery code, if one was given. */
  otp: string | null;
  /** In the code's place: what a passkey has answered. Only the console's sign-in can ask one. */
  passkey?: DeviceAnswer | null;
  /** The request's address. */
  address: string;
  /**
   * The side that may sign in here: users of the other side count as unknown. Only where both sides sign in does the error say that a code
   * is missing.
   */
  of: "operator" | "partner" | "anybody";
  requestId: string | null;
};

/** `isKnown`: whether they have signed in from there lately. */
export type Authenticated = { user: UserRecord; proof: SecondProof; isKnown: boolean };

type Powers = Uses<"db" | "clock" | "passwords" | "vault" | "passkeys">;
/** What the person signed in with besides the password; null: nothing is asked for. */
export type SecondProof = SpentCode | "passkey" | null;

const KNOWN_ORIGIN_MS = 30 * 86_400_000;

/**
 * Authenticates a person. Tries are counted by account and address, by address, and by account over all addresses from which it never
 * signed in, so that a stranger's guessing does not lock a person out at home. A correct log-in costs no try. An unknown or disabled account, or
 * one of the other side, takes the same time and gets the same answer as a wrong password. Real time.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, `one_time_code_required` (the password was right; with a `ticket` among its
 * members where a passkey may answer), `single_sign_on_required`.
 */
export async function authenticatePerson(ctx: Powers, credentials: Credentials): Promise<Authenticated> {
  const email = credentials.email.trim().toLowerCase();
  const now = ctx.clock.now();
  const origin = addressBlock(credentials.address);
  const isKnown = await isKnownOrigin(ctx.db, email, origin, new Date(now.getTime() - KNOWN_ORIGIN_MS));
  const signedIn = await guardTries(ctx, budgetsOf(email, origin, isKnown), async () => {
    const found = admissible(await findUserByEmail(ctx.db, email), credentials.of);
    // Asked about nobody as well: the time must not show that a person exists.
    const kept = await readSecrets(ctx.db, found?.id ?? randomUUID());
    if (!(await ctx.passwords.verify(kept?.passwordHash ?? null, credentials.password)) || found === null) {
      // Not awaited: its duration would reveal that the person exists. If the database does not take it, it is lost.
      if (found !== null)
        void recordRefusedProof(ctx, found, { ...credentials, action: "user.sign_in_refused", wrong: "password" }).catch(() => {});
      throw refused();
    }
    return { user: found, proof: await checkSecond(ctx, found, credentials) };
  });
  const { user, proof } = signedIn;
  await refuseUnlessPasswordServes(ctx, { user, isPasskey: proof === "passkey", ...credentials });
  await saveOrigin(ctx.db, user.id, origin, now);
  return { ...signedIn, isKnown };
}

/** The budget of one person at one address, which also limits the step-up of a signed-in person. */
export function triesAt(email: string, address: string): Budget {
  return triesFor(`account and address: ${email} ${addressBlock(address)}`, 10, 20);
}

function budgetsOf(email: string, origin: string, isKnown: boolean): Budget[] {
  const own = triesAt(email, origin);
  if (isKnown) return [own];
  return [own, triesFor(`address: ${origin}`, 50, 6), triesFor(`account: ${email}`, 50, 10)];
}

function admissible(user: UserRecord | null, of: Credentials["of"]): UserRecord | null {
  if (user === null || user.disabledAt !== null) return null;
  return of === "anybody" || (user.partnerId === null) === (of === "operator") ? user : null;
}

/**
 * Wrong codes and passkeys after the right password have their own budget, over all addresses. Nobody without the password can use it up,
 * and anyone who has it can guess ten times, then once an hour.
 *
 * @throws Refusal `rate_limited`; when a code is required and this one is wrong or was used before.
 */
async function checkSecond(ctx: Powers, user: UserRecord, credentials: Credentials): Promise<SecondProof> {
  const { otp, passkey = null, of, requestId } = credentials;
  const hasPasskey = (await countPasskeys(ctx.db, user.id)) > 0;
  if (!hasSecondFactor({ hasTotp: user.hasTotp, hasPasskey })) return null;
  const purpose = { userId: user.id, purpose: "sign_in", sessionId: null } as const;
  if (otp === null && passkey === null && of === "anybody")
    throw new Refusal("one_time_code_required", hasPasskey ? { members: { ticket: (await askPasskey(ctx, purpose)).ticket } } : {});
  return await guardTries(ctx, [secondFactorTries(user.id)], async () => {
    const spent = otp === null ? null : await spendCode(ctx, user, otp, requestId);
    if (spent !== null) return spent;
    if (otp === null && passkey !== null && (await provePasskey(ctx, purpose, passkey))) return "passkey";
    await recordRefusedProof(ctx, user, {
      ...credentials,
      action: "user.sign_in_refused",
      wrong: otp === null && passkey !== null ? "passkey" : "code",
    });
    throw refused();
  });
}

/** Of a person, over all addresses and sessions: at the sign-in and at the step-up. */
function secondFactorTries(userId: string): Budget {
  return triesFor(`second factor: ${userId}`, 10, 3_600);
}

function refused(): Refusal {
  return new Refusal("invalid_credentials");
}

export type StepUp = {
  by: ByPerson;
  sessionId: string;
  /** Hash of the secret that the request brought. */
  sidHash: string;
  address: string;
  /** With two factors, the one-time code, a recovery code or the answer of a passkey; otherwise the password. */
  proof: string | DeviceAnswer;
};

/**
 * Step-up: the session's person authenticates again, which for five minutes of real time permits actions that need it. Wrong tries count as
 * at the sign-in, and also against the session, so that a stolen session has few guesses at a code. The session gets a new secret, which is
 * returned, and the one before is refused from then on. Of several step-ups at the same moment one succeeds.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, `invalid_token` when the session was ended or got another secret meanwhile.
 */
export async function stepUp(ctx: Powers, { by, sessionId, sidHash, address, proof }: StepUp): Promise<string> {
  const { userId, partnerId } = by.actor;
  const user = await findUser(ctx.db, userId);
  if (user === null || user.disabledAt !== null) throw new Refusal("invalid_token");
  const hasPasskey = (await countPasskeys(ctx.db, user.id)) > 0;
  const ofFactor = hasSecondFactor({ hasTotp: user.hasTotp, hasPasskey }) ? [secondFactorTries(user.id)] : [];
  const budgets = [stepUpTries(sessionId), triesAt(user.email, address), ...ofFactor];
  const method = await guardTries(ctx, budgets, () => prove(ctx, user, { proof, sessionId, address, requestId: by.requestId, hasPasskey }));
  const secret = newSessionSecret();
  const renewal = { id: sessionId, from: sidHash, to: sessionHash(secret) };
  await ctx.db.transaction(async (tx) => {
    if (!(await markSteppedUp(tx, renewal, { at: ctx.clock.now(), byCode: method !== "password" }))) throw new Refusal("invalid_token");
    const change = { session_id: sessionId, method };
    await insertAuditEntry(tx, { by, partnerId, action: "user.stepped_up", objectId: userId, change });
  });
  return secret;
}

export type SignDecision = { by: ByPerson; sessionId: string; address: string; device: DeviceAnswer };

/**
 * What the person's device has signed of a decision. Wrong answers count like wrong codes at a step-up, and are in the audit log.
 *
 * @throws Refusal `rate_limited`, `invalid_token`, `passkey_required` as {@link readSignature}
 */
export async function readDecisionSignature(
  ctx: Uses<"db" | "clock" | "passkeys">,
  { by, sessionId, address, device }: SignDecision,
): Promise<DecisionSignature> {
  const user = await findUser(ctx.db, by.actor.userId);
  if (user === null || user.disabledAt !== null) throw new Refusal("invalid_token");
  return await guardTries(ctx, [stepUpTries(sessionId), secondFactorTries(user.id)], async () => {
    try {
      return await readSignature(ctx, { userId: user.id, sessionId }, device);
    } catch (error) {
      const refused = { action: "user.signature_refused", wrong: "passkey", address, requestId: by.requestId } as const;
      if (isRefusal(error)) await recordRefusedProof(ctx, user, refused);
      throw error;
    }
  });
}

function stepUpTries(sessionId: string): Budget {
  return triesFor(`step-up: ${sessionId}`, 5, 60);
}

type Proving = Pick<StepUp, "proof" | "sessionId" | "address"> & { requestId: string | null; hasPasskey: boolean };

async function prove(
  ctx: Powers,
  user: UserRecord,
  { proof, sessionId, requestId, address, hasPasskey }: Proving,
): Promise<SpentCode | "password" | "passkey"> {
  const record = (wrong: RefusedProof["wrong"]) =>
    recordRefusedProof(ctx, user, { action: "user.step_up_refused", wrong, address, requestId });
  if (typeof proof !== "string") {
    if (await provePasskey(ctx, { userId: user.id, purpose: "step_up", sessionId }, proof)) return "passkey";
    await record("passkey");
    throw new Refusal("invalid_credentials", {
      detail: "The passkey was not accepted. It is not one of yours, or it answered another request.",
    });
  }
  if (!user.hasTotp && !hasPasskey) {
    if (await ctx.passwords.verify((await readSecrets(ctx.db, user.id))?.passwordHash ?? null, proof)) return "password";
    await record("password");
    throw new Refusal("invalid_credentials", { detail: "The password is wrong." });
  }
  const spent = await spendCode(ctx, user, proof, requestId);
  if (spent !== null) return spent;
  await record("code");
  throw new Refusal("invalid_credentials", { detail: "The code is wrong or was used before." });
}

type RefusedProof = {
  action: "user.sign_in_refused" | "user.step_up_refused" | "user.signature_refused";
  wrong: "password" | "code" | "passkey";
  address: string;
  requestId: string | null;
};

/**
 * Records a wrong password, code or passkey for a person in the audit log, which the person sees under *Account*. Of each kind, ten at once
 * and then one an hour are recorded, so that strangers cannot fill a log that is kept for ever. In real time.
 */
async function recordRefusedProof(ctx: Uses<"db" | "clock">, user: UserRecord, refused: RefusedProof): Promise<void> {
  const { action, wrong, address, requestId } = refused;
  await ctx.db.transaction(async (tx) => {
    if ((await takeFromBudget(tx, triesFor(`refused ${action}: ${wrong} ${user.id}`, 10, 3_600), ctx.clock.now())) !== null) return;
    await insertAuditEntry(tx, {
      // Nobody knows who it was.
      by: { ...SYSTEM, requestId },
      partnerId: user.partnerId,
      action,
      objectId: user.id,
      change: { wrong, address },
    });
  });
}
