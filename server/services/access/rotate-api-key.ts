import { endApiKey, hasLiveSuccessor, lockApiKey } from "#db/queries/access/api-keys.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { By } from "#domain/access.ts";
import { type ApiKey, isInForce, type KeyMode } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { isOperators, refuseFreer } from "./create-api-key.ts";
import { type IssuedApiKey, issueApiKey, keyOf, refuseUnlessInForce } from "./issue-api-key.ts";

export type RotateApiKey = {
  by: By;
  id: string;
  /** Omitted: any partner's key. */
  partnerId?: string;
  /** The calling key, if any: it may rotate itself, or a key of its side with no more rights than its own. */
  issuer?: ApiKey | null;
  mode: KeyMode;
  /** How many seconds of real time the old pair stays valid; 0: not at all. */
  overlapSeconds: number;
};

/**
 * Issues a key with the same scopes, addresses, expiry and signing requirement, and ends the old one after the overlap. The new key
 * descends from the old one, and is revoked together with it. A key has one valid successor, also during the overlap, and when two callers
 * rotate it at once.
 *
 * @throws Refusal `step_up_required`, `not_found`, `conflict` for a key that has already ended or been rotated, `forbidden` for one with
 * more rights than the caller.
 */
export async function rotateApiKey(ctx: Uses<"db" | "clock" | "vault">, command: RotateApiKey): Promise<IssuedApiKey> {
  refuseUnlessProven(command.by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    await refuseUnlessInForce(tx, ctx, keyOf(command.by.actor));
    const old = isUuid(command.id) ? await lockApiKey(tx, command.id, command.partnerId) : null;
    if (old === null) throw new Refusal("not_found");
    // After the wait for the lock: a key that was revoked meanwhile has ended.
    const now = ctx.clock.now();
    const { by, mode, issuer = null } = command;
    const partnerId = old.partner?.id ?? null;
    if (mode === "live" && partnerId !== null && isOperators(by))
      throw new Refusal("forbidden", {
        detail: "The partner rotates its keys. Make another key, which a second person confirms, or revoke it.",
      });
    if (issuer !== null && (issuer.partner?.id ?? null) === partnerId) refuseFreer(old, issuer);
    if (!isInForce(old, now)) throw new Refusal("conflict", { detail: "The key has already ended." });
    if (await hasLiveSuccessor(tx, old.id, now))
      throw new Refusal("conflict", { detail: "The key has already been rotated. Rotate or revoke its successor." });
    const { name, scopes, allowedIps, expiresAt, signedManagement } = old;
    const rights = { scopes, allowedIps, expiresAt, signedManagement };
    const issued = await issueApiKey(tx, ctx, { by, mode, partnerId, name, ...rights, rotatedFrom: old.id });
    const endsAt = new Date(now.getTime() + command.overlapSeconds * 1_000);
    await endApiKey(tx, old.id, endsAt);
    await insertAuditEntry(tx, {
      by: command.by,
      partnerId,
      action: "api_key.rotated",
      objectId: old.id,
      change: { replaced_by: issued.id, ends_at: endsAt.toISOString() },
      now: await readBusinessNow(tx),
    });
    return issued;
  });
}
