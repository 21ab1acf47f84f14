import { AUDIT_CSV_HEADER, auditCsvLine, auditFilter, renderAuditEntry } from "#contract/console/audit.ts";
import { exportAuditLog } from "#server/services/audit/export-audit-log.ts";
import { readAuditFilter } from "./audit-filter.ts";
import { actorOf } from "./trpc/context.ts";
import type { WebParts } from "./trpc/create-context.ts";
import { type CsvContext, type CsvFile, handleCsv } from "./trpc/csv-response.ts";

/** The part of the audit log that a list shows, as a CSV file. */
export async function handleAuditExport(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  return await handleCsv(web, request, cookie, write);
}

async function write({ services, holder, requestId }: CsvContext, input: unknown): Promise<CsvFile> {
  const asked = auditFilter.parse(input);
  const filter = readAuditFilter(asked, holder);
  const by = { actor: actorOf(holder), requestId };
  const batches = await exportAuditLog(services, { by, filter, asked: { filter: JSON.parse(JSON.stringify(asked)) } });
  const inside = holder.partnerId === null;
  const lines = async function* () {
    for await (const batch of batches) yield batch.map((row) => auditCsvLine(renderAuditEntry(row, inside))).join("");
  };
  return { name: "audit", head: AUDIT_CSV_HEADER, batches: lines() };
}
