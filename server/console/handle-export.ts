import { BYTE_ORDER_MARK, exportHeader, exportLine, settlementExport } from "#contract/console/settlement-export.ts";
import { exportSettlements } from "#server/services/settlements/export-settlements.ts";
import { readFilter } from "./settlement-filter.ts";
import { actorOf } from "./trpc/context.ts";
import type { WebParts } from "./trpc/create-context.ts";
import { type CsvContext, type CsvFile, handleCsv } from "./trpc/csv-response.ts";

/** The settlements that a list shows, as a CSV file. */
export async function handleExport(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  return await handleCsv(web, request, cookie, write);
}

async function write({ services, holder, requestId }: CsvContext, input: unknown): Promise<CsvFile> {
  const { filter, tx_ids: ids, columns, zone, bom } = settlementExport.parse(input);
  const { count, batches } = await exportSettlements(services, {
    by: { actor: actorOf(holder), requestId },
    filter: { ...readFilter(filter, holder), ...(ids && { ids }) },
    asked: { filter: JSON.parse(JSON.stringify(filter)), ...(ids && { tx_ids: ids }), columns, zone },
  });
  const lines = async function* () {
    for await (const batch of batches) yield batch.map((row) => exportLine(row, columns, zone)).join("");
  };
  return { name: "settlements", head: (bom ? BYTE_ORDER_MARK : "") + exportHeader(columns), batches: lines(), count };
}
