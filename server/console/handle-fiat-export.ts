import { ORDER_CSV_HEADER, orderExport, topupCsvLine, withdrawalCsvLine } from "#contract/console/fiat-export.ts";
import { exportTopups, exportWithdrawals } from "#server/services/fiat/export-orders.ts";
import { readOrderFilter } from "./fiat-input.ts";
import { actorOf } from "./trpc/context.ts";
import type { WebParts } from "./trpc/create-context.ts";
import { type CsvContext, type CsvFile, handleCsv } from "./trpc/csv-response.ts";

/** The withdrawals or top-ups that a list shows, as a CSV file. */
export async function handleFiatExport(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  return await handleCsv(web, request, cookie, write);
}

async function write({ services, holder, requestId }: CsvContext, input: unknown): Promise<CsvFile> {
  const { kind, filter: asked } = orderExport.parse(input);
  const order = {
    by: { actor: actorOf(holder), requestId },
    filter: readOrderFilter(asked, holder),
    asked: { filter: JSON.parse(JSON.stringify(asked)) },
  };
  const batches =
    kind === "topups"
      ? linesOf(await exportTopups(services, order), topupCsvLine)
      : linesOf(await exportWithdrawals(services, order), withdrawalCsvLine);
  return { name: kind, head: ORDER_CSV_HEADER, batches };
}

async function* linesOf<Row>(batches: AsyncGenerator<readonly Row[]>, lineOf: (row: Row) => string): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(lineOf).join("");
}
