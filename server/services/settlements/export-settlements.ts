import { type BrowsedSettlement, type BrowseFilter, browseSettlements, countBrowsed } from "#db/queries/settlements/browse-settlements.ts";
import type { By } from "#domain/access.ts";
import { walkAll } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";
import { recordExport } from "#server/services/audit/record-export.ts";

export type ExportSettlements = {
  by: By;
  /** Whose settlements may be among them is said by the filter. */
  filter: BrowseFilter;
  /** What was asked for, in wire names, for the audit log. */
  asked: Record<string, unknown>;
};
export type Export = { count: number; more: boolean; batches: AsyncGenerator<readonly BrowsedSettlement[]> };

/** Nobody reads a file of more; the number that is told stops here, the file does not. */
const MANY = 1_000_000;

/**
 * Everything that fits the filter, newest first, in batches that are read as they are asked for. What is created meanwhile is not among them. That somebody took it is in the audit log.
 */
export async function exportSettlements(ctx: Uses<"db">, { by, filter, asked }: ExportSettlements): Promise<Export> {
  const { count, more } = await measureExport(ctx, filter);
  await recordExport(ctx, { by, what: "settlements", change: { ...asked, count } });
  const batches = walkAll(
    (walk) => browseSettlements(ctx.db, filter, walk),
    ({ settlement }) => settlement,
  );
  return { count, more, batches };
}

/** How many settlements an export of this filter would have, to at most a million. */
export async function measureExport(ctx: Uses<"db">, filter: BrowseFilter): Promise<{ count: number; more: boolean }> {
  const count = await countBrowsed(ctx.db, filter, MANY);
  return { count: Math.min(count, MANY), more: count > MANY };
}
