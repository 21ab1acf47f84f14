import { sql } from "drizzle-orm";
import { boolean, customType, index, integer, jsonb, pgTable, real, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import type { RefusedSignatureParticulars } from "#domain/api-request.ts";

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/**
 * The API log: every request with a known key, whatever its outcome, and refused calls of the console. Written asynchronously in batches,
 * so it has no references in either direction. Real time; kept for a limited time.
 */
export const apiRequests = pgTable(
  "api_requests",
  {
    /** `req_…`, as the answer's `X-Request-Id` said. */
    id: text().primaryKey(),
    at: instant().notNull(),
    /** null: an operator's key. */
    partnerId: uuid(),
    /** null: a call of the console, by a person. */
    apiKeyId: uuid(),
    /** The person, of a call of the console. */
    userId: uuid(),
    surface: text().notNull(),
    operation: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    query: text().notNull(),
    status: integer().notNull(),
    /** Of the refusal; null: success. */
    code: text(),
    durationMs: real().notNull(),
    address: text().notNull(),
    replayed: boolean().notNull(),
    /** The settlement in the path or the body, or the created one: as requested, whether or not the partner has it. */
    settlementId: text(),
    /** For a request with a known key that failed a signing check: the data for the debugger. */
    refused: jsonb().$type<RefusedSignatureParticulars>(),
    /** With `refused`: the body as it came. Both are forgotten sooner than the row. */
    refusedBody: bytes(),
  },
  (table) => [
    index("api_requests_newest").on(table.partnerId, table.at, table.id),
    index("api_requests_age").on(table.at, table.id),
    index("api_requests_settlement").on(table.settlementId, table.at).where(sql`settlement_id is not null`),
    index("api_requests_refused").on(table.at).where(sql`refused is not null`),
  ],
);
