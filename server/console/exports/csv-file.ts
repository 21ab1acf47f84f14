import type { By } from "#domain/access.ts";
import { csvLine } from "#domain/csv.ts";
import type { TrpcContext } from "#server/console/trpc/context.ts";

export type CsvContext = TrpcContext & { holder: NonNullable<TrpcContext["holder"]>; by: By };

/** `bom`: a byte order mark at the beginning, which some spreadsheets need. `count`: the number of rows, where known. */
export type CsvFile = { name: string; columns: readonly string[]; bom?: boolean; count?: number; lines: AsyncGenerator<string> };

/** The lines of what is read batch by batch. */
export async function* linesOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  cellsOf: (row: Row) => readonly string[],
): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map((row) => csvLine(cellsOf(row))).join("");
}

/** The filter as the audit log records it: instants as texts. */
export function rememberable(asked: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(asked));
}
