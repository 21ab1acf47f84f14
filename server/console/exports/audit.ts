import { auditActorName } from "#domain/audit-sentence.ts";
import { auditFilter, readAuditFilter, renderAuditEntry } from "#server/console/audit.ts";
import { exportAuditLog } from "#server/services/audit/browse-audit-log.ts";
import { type CsvContext, type CsvFile, linesOf, rememberable } from "./csv-file.ts";

const COLUMNS = ["at", "seal", "actor", "what", "action", "object_id", "partner", "reason", "change", "request_id", "entry_id"];

/** The part of the audit log that a list shows. */
export async function auditFile({ services, holder, by }: CsvContext, input: unknown): Promise<CsvFile> {
  const asked = auditFilter.parse(input);
  const filter = readAuditFilter(asked, holder);
  const batches = await exportAuditLog(services, { by, filter, asked: { filter: rememberable(asked) } });
  const inside = holder.partnerId === null;
  return { name: "audit", columns: COLUMNS, lines: linesOf(batches, (row) => cellsOf(renderAuditEntry(row, inside))) };
}

function cellsOf(entry: ReturnType<typeof renderAuditEntry>): string[] {
  const { before, after, mentions } = entry.sentence;
  const what = [before, mentions ? (entry.object.name ?? entry.object.id) : "", after].filter(Boolean).join(" ");
  const changes = entry.differences.map(
    ({ field, before: from, after: to }) => `${field}: ${from === null ? "" : `${from} → `}${to ?? "nothing"}`,
  );
  return [
    entry.at,
    entry.seq === null ? "" : String(entry.seq),
    auditActorName(entry.actor),
    what,
    entry.action,
    entry.object.id,
    entry.partner?.name ?? "",
    entry.reason ?? "",
    changes.join("; "),
    entry.request_id ?? "",
    entry.id,
  ];
}
