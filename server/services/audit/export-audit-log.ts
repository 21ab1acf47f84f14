import { type AuditFilter, type AuditRow, browseAudit } from "#db/queries/audit/browse-audit.ts";
import type { By } from "#domain/access.ts";
import { walkAll } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";
import { recordExport } from "./record-export.ts";

/** Everything that fits the filter, newest first, read batch by batch as it is asked for. That somebody took it is an entry itself. */
export async function exportAuditLog(
  ctx: Uses<"db">,
  { by, filter, asked }: { by: By; filter: AuditFilter; asked: Record<string, unknown> },
): Promise<AsyncGenerator<readonly AuditRow[]>> {
  await recordExport(ctx, { by, what: "audit", objectId: "audit_log", change: asked });
  return walkAll<AuditRow, string>(
    (walk) => browseAudit(ctx.db, filter, walk),
    ({ id }) => id,
  );
}
