import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { type BrowsedSettlement, type BrowseFilter, browseSettlements, countBrowsed } from "#db/queries/settlements/browse-settlements.ts";
import type { SettlementPosition } from "#db/queries/settlements/settlements.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";

export type ExportSettlements = {
  by: By;
  /** Whose settlements may be among them is said by the filter. */
  filter: BrowseFilter;
  /** What was asked for, in wire names, for the audit log. */
  asked: Record<string, unknown>;
};
export type Export = { count: number; more: boolean; batches: AsyncGenerator<BrowsedSettlement[]> };

const BATCH = 500;
/** Nobody reads a file of more; the number that is told stops here, the file does not. */
const MANY = 1_000_000;

/**
 * Everything that fits the filter, newest first, in batches that are read as they are asked for: short statements one after the other
 * and never a transaction that lasts. What is created meanwhile is not among them. That somebody took it is in the audit log.
 */
export async function exportSettlements(ctx: Uses<"db">, { by, filter, asked }: ExportSettlements): Promise<Export> {
  const counted = await countBrowsed(ctx.db, filter, MANY);
  const count = Math.min(counted, MANY);
  await ctx.db.transaction(async (tx) => {
    const partnerId = by.actor.type === "user" ? by.actor.partnerId : null;
    const change = { ...asked, count };
    await insertAuditEntry(tx, {
      by,
      partnerId,
      action: "settlements.exported",
      objectId: "settlements",
      change,
      now: await readBusinessNow(tx),
    });
  });
  return { count, more: counted > MANY, batches: readBatches(ctx, filter) };
}

/** How many settlements an export of this filter would have, to at most a million. */
export async function measureExport(ctx: Uses<"db">, filter: BrowseFilter): Promise<{ count: number; more: boolean }> {
  const count = await countBrowsed(ctx.db, filter, MANY);
  return { count: Math.min(count, MANY), more: count > MANY };
}

async function* readBatches(ctx: Uses<"db">, filter: BrowseFilter): AsyncGenerator<BrowsedSettlement[]> {
  let position: SettlementPosition | null = null;
  for (;;) {
    const batch: BrowsedSettlement[] = await browseSettlements(ctx.db, filter, { limit: BATCH, position, direction: "older" });
    if (batch.length > 0) yield batch;
    const last = batch.at(-1)?.settlement;
    if (batch.length < BATCH || last === undefined) return;
    position = { createdAt: last.createdAt, id: last.id };
  }
}
