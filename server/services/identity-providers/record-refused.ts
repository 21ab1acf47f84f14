import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import type { ProviderInForce } from "#db/queries/identity-providers/providers.ts";
import { takeFromBudget } from "#db/queries/people/login-tries.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";
import { triesFor } from "#server/services/access/guard-tries.ts";

/** A provider's answer, or order, that is refused. `why`: for the audit log alone. */
export class RefusedIdentity extends Error {
  override readonly name = "RefusedIdentity";
}

export type RefusedAnswer = { provider: ProviderInForce | null; why: string; address: string; requestId: string | null };

/**
 * Records a refused answer. Of each provider and reason ten at once and one an hour are recorded, because strangers must not write what is
 * kept for ever.
 */
export async function recordRefused(ctx: Uses<"db" | "clock">, { provider, why, address, requestId }: RefusedAnswer): Promise<void> {
  const objectId = provider?.id ?? "unknown";
  await ctx.db.transaction(async (tx) => {
    if ((await takeFromBudget(tx, triesFor(`refused identity: ${objectId} ${why}`, 10, 3_600), ctx.clock.now())) !== null) return;
    await insertAuditEntry(tx, {
      // Nobody knows who it was.
      by: { ...SYSTEM, requestId },
      partnerId: provider?.partnerId ?? null,
      action: "identity.refused",
      objectId,
      change: { why, address },
    });
  });
}
