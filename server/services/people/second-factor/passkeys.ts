import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import {
  deletePasskey,
  insertPasskey,
  listPasskeys as listRecords,
  type PasskeyRecord,
  renamePasskeyOf,
  takeChallenge,
} from "#db/queries/people/passkeys.ts";
import { countRecoveryCodes, replaceRecoveryCodes } from "#db/queries/people/recovery-codes.ts";
import { readPlace, revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { findUser, lockUser, UNCONFIRMED, updateUser } from "#db/queries/people/users.ts";
import type { ByPerson } from "#domain/access.ts";
import { MOST_PASSKEYS, ticketHash } from "#domain/passkey.ts";
import { Refusal } from "#domain/refusal.ts";
import { mustEnrol, refuseUnlessProven } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { type AskedOfDevice, type DeviceAnswer, keepChallenge } from "./passkey-proof.ts";
import { issueRecoveryCodes } from "./recovery-codes.ts";

type Own = { by: ByPerson; sessionId: string };

/** A person's passkeys, the oldest first. */
export async function listPasskeys(ctx: Uses<"db">, userId: string): Promise<PasskeyRecord[]> {
  return await listRecords(ctx.db, userId);
}

/**
 * Creates the challenge for registering a passkey, valid only for this session. It changes nothing else.
 *
 * @throws Refusal `step_up_required`, `invalid_state` where no passkey, or no more of them, may be added.
 */
export async function beginPasskey(ctx: Uses<"db" | "clock" | "passkeys">, { by, sessionId }: Own): Promise<AskedOfDevice> {
  const now = ctx.clock.now();
  refuseUnlessProven(by, now);
  const { userId } = by.actor;
  if (ctx.passkeys.unavailable !== null) throw new Refusal("invalid_state", { detail: ctx.passkeys.unavailable });
  const user = await findUser(ctx.db, userId);
  if (user === null) throw new Refusal("invalid_token");
  const known = await listRecords(ctx.db, userId);
  refuseOneMore(known.length);
  const options = await ctx.passkeys.askNew(user, known);
  return { options, ticket: await keepChallenge(ctx.db, { userId, sessionId, purpose: "register" }, options.challenge, now) };
}

export type AddPasskey = Own & DeviceAnswer & { name: string };

/**
 * Registers the device's passkey, which from now on proves who the person is. All of the person's other sessions and access tokens end,
 * because they were opened without it. A person with one factor so far gets recovery codes, shown only once; otherwise null.
 *
 * @throws Refusal `step_up_required`, `validation_failed` for an answer that does not match the challenge, `conflict` for a device that is
 * registered, `invalid_state` when there are enough.
 */
export async function addPasskey(
  ctx: Uses<"db" | "clock" | "passkeys">,
  { by, sessionId, ticket, answer, name }: AddPasskey,
): Promise<string[] | null> {
  const now = ctx.clock.now();
  refuseUnlessProven(by, now);
  const { userId, partnerId } = by.actor;
  const taken = await takeChallenge(ctx.db, { ticketHash: ticketHash(ticket), purpose: "register", userId, sessionId, now });
  const made = taken === null ? null : await ctx.passkeys.readNew(answer, taken.challenge);
  if (made === null) {
    const message = "is not this device's answer to what it was asked just now";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/answer", code: "wrong_answer", message }] });
  }
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw new Refusal("invalid_token");
    const held = (await listRecords(tx, userId)).length;
    refuseOneMore(held);
    const isFirst = !user.hasTotp && held === 0;
    const id = randomUUID();
    const added = await insertPasskey(tx, { ...made, id, userId, name, transports: [...made.transports], createdAt: now });
    if (!added) throw new Refusal("conflict", { detail: "The passkey of that device is already registered." });
    const ended = await revokeSessionsOf(tx, userId, { sessionId }, now);
    await revokeTokensOf(tx, userId, now);
    const place = await readPlace(tx, sessionId);
    const change = {
      passkey_id: id,
      name,
      syncs: made.syncs,
      backed_up: made.backedUp,
      aaguid: made.aaguid,
      other_sessions_ended: ended,
      ...place,
    };
    await insertAuditEntry(tx, { by, partnerId, action: "user.passkey_added", objectId: userId, change });
    return isFirst || (await countRecoveryCodes(tx, userId)) === 0 ? await issueRecoveryCodes(tx, userId, now) : null;
  });
}

/** Another name. @throws Refusal `not_found`. */
export async function renamePasskey(ctx: Uses<"db">, { by, id, name }: { by: ByPerson; id: string; name: string }): Promise<void> {
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const before = isUuid(id) ? await renamePasskeyOf(tx, { id, userId }, name) : null;
    if (before === null) throw new Refusal("not_found");
    if (before === name) return;
    const change = { passkey_id: id, name: { from: before, to: name } };
    await insertAuditEntry(tx, { by, partnerId, action: "user.passkey_renamed", objectId: userId, change });
  });
}

/**
 * Removes a passkey. With the last second factor, the recovery codes go too.
 *
 * @throws Refusal `step_up_required`, `not_found`, `forbidden` for the last second factor of a person who needs one.
 */
export async function removePasskey(ctx: Uses<"db" | "clock" | "entryRules">, { by, id }: { by: ByPerson; id: string }): Promise<void> {
  const now = ctx.clock.now();
  refuseUnlessProven(by, now);
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    // Of two who remove the last two at once, one comes second.
    const user = await lockUser(tx, userId);
    if (user === null) throw new Refusal("invalid_token");
    const name = isUuid(id) ? await deletePasskey(tx, { id, userId }) : null;
    if (name === null) throw new Refusal("not_found");
    const left = (await listRecords(tx, userId)).length;
    const factors = { hasTotp: user.hasTotp, hasPasskey: left > 0 };
    if (mustEnrol({ role: user.role, ...factors }, ctx.entryRules))
      throw new Refusal("forbidden", { detail: "Your role requires two factors, and this is the last one. Add another passkey first." });
    if (!factors.hasTotp && !factors.hasPasskey) {
      await replaceRecoveryCodes(tx, userId, [], now);
      await updateUser(tx, userId, UNCONFIRMED);
    }
    const change = { passkey_id: id, name, passkeys_left: left, two_factors: factors.hasTotp || factors.hasPasskey };
    await insertAuditEntry(tx, { by, partnerId, action: "user.passkey_removed", objectId: userId, change });
  });
}

function refuseOneMore(held: number): void {
  if (held >= MOST_PASSKEYS)
    throw new Refusal("invalid_state", { detail: `You already have ${MOST_PASSKEYS} passkeys. Remove one first.` });
}
