import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { type AuditFilter, type AuditRow, browseAudit } from "#db/queries/audit/browse-audit.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";

const BATCH = 500;

/** Everything that fits the filter, newest first, read batch by batch as it is asked for. That somebody took it is an entry itself. */
export async function exportAuditLog(
  ctx: Uses<"db">,
  { by, filter, asked }: { by: By; filter: AuditFilter; asked: Record<string, unknown> },
): Promise<AsyncGenerator<AuditRow[]>> {
  await ctx.db.transaction(async (tx) => {
    const partnerId = by.actor.type === "user" ? by.actor.partnerId : null;
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "audit.exported", objectId: "audit_log", change: asked, now });
  });
  return readBatches(ctx, filter);
}

async function* readBatches(ctx: Uses<"db">, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let position: string | null = null;
  for (;;) {
    const batch: AuditRow[] = await browseAudit(ctx.db, filter, { limit: BATCH, position, direction: "older" });
    if (batch.length > 0) yield batch;
    position = batch.at(-1)?.id ?? null;
    if (batch.length < BATCH || position === null) return;
  }
}
