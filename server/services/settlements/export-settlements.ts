import { type BrowsedSettlement, type BrowseFilter, browseSettlements, countBrowsed } from "#db/queries/settlements/browse-settlements.ts";
import type { By } from "#domain/access.ts";
import { walkAll } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";
import { recordExport } from "#server/services/audit/record-export.ts";

export type ExportSettlements = {
  by: By;
  /** The filter limits whose settlements are included. */
  filter: BrowseFilter;
  /** The filter in wire names, for the audit log. */
  asked: Record<string, unknown>;
};
export type Export = { count: number; more: boolean; batches: AsyncGenerator<readonly BrowsedSettlement[]> };

/** Nobody reads a larger file. The reported count stops here, the file does not. */
const MANY = 1_000_000;

/**
 * Everything that matches the filter, newest first, in batches read on demand. Settlements created meanwhile are not included. The audit
 * log records the export.
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
