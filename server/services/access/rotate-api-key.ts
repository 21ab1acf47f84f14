import { endApiKey, lockApiKey } from "#db/queries/api-keys.ts";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import type { Uses } from "#server/context.ts";
import { type By, SCOPES, type Scope } from "#server/domain/access.ts";
import { isInForce, type KeyMode } from "#server/domain/api-key.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { isUuid } from "#server/domain/uuid.ts";
import { type IssuedApiKey, issueApiKey, refuseScopesBeyond } from "./create-api-key.ts";

export type RotateApiKey = {
  by: By;
  id: string;
  /** Left out: whoever's it is. */
  partnerId?: string;
  /** What the one who rotates may hold; all scopes when left out. */
  grantable?: readonly Scope[];
  mode: KeyMode;
  /** For so many seconds of real time the old pair stays valid; 0: not at all. */
  overlapSeconds: number;
};

/**
 * Issues a key with the same rights and ends the old one after the overlap. Of two who rotate a key at once without overlap, one is
 * refused; with overlap, both get a successor.
 *
 * @throws Refusal `not_found`, `conflict` for a key that has already ended, `forbidden` for one that may do more than the caller.
 */
export async function rotateApiKey(ctx: Uses<"db" | "clock" | "vault">, command: RotateApiKey): Promise<IssuedApiKey> {
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const old = isUuid(command.id) ? await lockApiKey(tx, command.id, command.partnerId) : null;
    if (old === null) throw new Refusal("not_found");
    if (!isInForce(old, now)) throw new Refusal("conflict", { detail: "The key has already ended." });
    refuseScopesBeyond(command.grantable ?? SCOPES, old.scopes);
    const { name, scopes, allowedIps, expiresAt } = old;
    const partnerId = old.partner?.id ?? null;
    const { by, mode } = command;
    const issued = await issueApiKey(tx, ctx, { by, mode, partnerId, name, scopes, allowedIps, expiresAt });
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
