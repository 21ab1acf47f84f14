import { sql } from "drizzle-orm";
import { boolean, customType, index, integer, jsonb, pgTable, real, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import type { RefusedSignatureParticulars } from "#domain/api-request.ts";

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/**
 * The API log: every request that named a known key, whatever became of it, and the console's calls that were refused. Written in
 * batches behind the requests' backs, so it refers to nothing and nothing refers to it. Real time; kept for a while only.
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
    /** Of the refusal; null: answered as asked. */
    code: text(),
    durationMs: real().notNull(),
    address: text().notNull(),
    replayed: boolean().notNull(),
    /** The settlement that the path or the body named, or that was created: what was asked for, not what the partner has. */
    settlementId: text(),
    /** Of a request whose key was known and that was refused by one of the signing checks: what the debugger needs. */
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
