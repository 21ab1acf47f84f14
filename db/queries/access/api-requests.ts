import { and, eq, getTableColumns, gte, isNotNull, like, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { apiRequests } from "#db/schema/api-requests.ts";
import { partners } from "#db/schema/partners.ts";
import { users } from "#db/schema/people.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import { type ApiRequest, type ArrivedApiRequest, CONSOLE_SURFACE, type RefusedSignedRequest } from "#domain/api-request.ts";
import type { Walk } from "#domain/page.ts";

/**
 * Stores these; one that is stored already (its commit was not confirmed) stays as it is. One statement with one parameter: with a row of
 * parameters each, five hundred cost the process ten times as much.
 */
export async function insertApiRequests(db: Database, requests: readonly ArrivedApiRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const rows = requests.map(({ refused, ...request }) => ({
    ...request,
    refused: refused?.particulars ?? null,
    body: refused ? Buffer.from(refused.body).toString("base64") : null,
  }));
  await db.execute(sql`
    insert into api_requests (id, at, partner_id, api_key_id, user_id, surface, operation, method, path, query, status, code, duration_ms, address,
      replayed, settlement_id, refused, refused_body)
    select id, at, "partnerId", "apiKeyId", "userId", surface, operation, method, path, query, status, code, "durationMs", address,
      replayed, "settlementId", refused, decode(body, 'base64')
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      id text, at timestamptz, "partnerId" uuid, "apiKeyId" uuid, "userId" uuid, surface text, operation text, method text, path text, query text,
      status int, code text, "durationMs" real, address text, replayed boolean, "settlementId" text, refused jsonb, body text)
    on conflict (id) do nothing`);
}

export type ApiRequestFilter = {
  /** Left out: everybody's, the operator's own included. */
  partnerId?: string;
  apiKeyId?: string;
  method?: string;
  /** 2 for 200 to 299, and so on. */
  statusClass?: 2 | 4 | 5;
  status?: number;
  code?: string;
  operation?: string;
  /** How the path begins. */
  pathPrefix?: string;
  requestId?: string;
  settlementId?: string;
  /** Left out: what only read, and was answered. */
  exceptReads?: boolean;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
};

/** A request with the names of what it refers to; null where that is gone, or was never there. */
export type NamedApiRequest = ApiRequest & {
  key: { name: string; lastFour: string } | null;
  partnerName: string | null;
  /** Of a console call. */
  personName: string | null;
  /** The data for the debugger is still stored. */
  hasParticulars: boolean;
};

const ORDERING = { createdAt: apiRequests.at, id: apiRequests.id };

/** A page of the log, nearest to the place first. */
export async function listApiRequests(db: Database, filter: ApiRequestFilter, page: Walk): Promise<NamedApiRequest[]> {
  const rows = await db
    .select({
      request: LOGGED,
      key: { name: apiKeys.name, lastFour: apiKeys.lastFour },
      partnerName: partners.name,
      personName: users.name,
      hasParticulars: sql<boolean>`${apiRequests.refused} is not null`,
    })
    .from(apiRequests)
    .leftJoin(apiKeys, eq(apiKeys.id, apiRequests.apiKeyId))
    .leftJoin(partners, eq(partners.id, apiRequests.partnerId))
    .leftJoin(users, eq(users.id, apiRequests.userId))
    .where(and(...conditions(filter), beyond(ORDERING, page, "text")))
    .orderBy(...nearestFirst(ORDERING, page))
    .limit(page.limit);
  return rows.map(({ request, ...names }) => ({ ...request, ...names }));
}

export type RequestCount = { at: Date; statusClass: number; count: number };

/** The number of requests per class of status and per span; spans without any are omitted. */
export async function countApiRequests(db: Database, filter: ApiRequestFilter, spanSeconds: number): Promise<RequestCount[]> {
  const span = sql`date_bin(make_interval(secs => ${spanSeconds}), ${apiRequests.at}, 'epoch'::timestamptz)`;
  const rows = await db
    .select({ at: sql<string>`${span}`, statusClass: sql<number>`${apiRequests.status} / 100`, count: sql<number>`count(*)::int` })
    .from(apiRequests)
    .where(and(...conditions(filter)))
    .groupBy(sql`1, 2`)
    .orderBy(sql`1, 2`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export type RefusalCount = { code: string; status: number; operation: string; count: number; latestAt: Date; sampleRequestId: string };

/** Refusals by code and operation, most frequent first. */
export async function countApiRefusals(db: Database, filter: ApiRequestFilter, limit: number): Promise<RefusalCount[]> {
  const rows = await db
    .select({
      code: sql<string>`${apiRequests.code}`,
      status: sql<number>`min(${apiRequests.status})`,
      operation: apiRequests.operation,
      count: sql<number>`count(*)::int`,
      latestAt: sql<string>`max(${apiRequests.at})`,
      sampleRequestId: sql<string>`(array_agg(${apiRequests.id} order by ${apiRequests.at} desc))[1]`,
    })
    .from(apiRequests)
    .where(and(...conditions(filter), isNotNull(apiRequests.code)))
    .groupBy(apiRequests.code, apiRequests.operation)
    .orderBy(sql`count(*) desc`, apiRequests.code)
    .limit(limit);
  return rows.map((row) => ({ ...row, latestAt: new Date(row.latestAt) }));
}

/** A request (of this partner, where given) with the data for the debugger; null when there is none, or when its details were deleted. */
export async function findRefusedRequest(db: Database, id: string, partnerId?: string): Promise<RefusedSignedRequest | null> {
  const [row] = await db
    .select({ request: LOGGED, refused: apiRequests.refused, body: apiRequests.refusedBody })
    .from(apiRequests)
    .where(and(eq(apiRequests.id, id), partnerId === undefined ? undefined : eq(apiRequests.partnerId, partnerId)));
  return row?.refused && row.body ? { request: row.request, refused: row.refused, body: row.body } : null;
}

/** Forgets the particulars and bodies of refused requests answered before `before`, at most `limit`. Answers how many. */
export async function forgetRefusedBefore(db: Database, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ ctid: sql`ctid` })
    .from(apiRequests)
    .where(and(isNotNull(apiRequests.refused), lt(apiRequests.at, before)))
    .limit(limit);
  const result = await db.update(apiRequests).set({ refused: null, refusedBody: null }).where(sql`ctid = any(array(${old}))`);
  return result.count;
}

/** All but what only the debugger reads. */
const { refused: _refused, refusedBody: _body, ...LOGGED } = getTableColumns(apiRequests);

function conditions(filter: ApiRequestFilter): (SQL | undefined)[] {
  const { statusClass, pathPrefix } = filter;
  const equal = ["partnerId", "apiKeyId", "method", "status", "code", "operation", "settlementId"] as const;
  return [
    ...equal.map((name) => (filter[name] === undefined ? undefined : eq(apiRequests[name], filter[name]))),
    // The console's own calls are not API usage: they are found by the id shown with an error.
    filter.requestId === undefined ? ne(apiRequests.surface, CONSOLE_SURFACE) : eq(apiRequests.id, filter.requestId),
    filter.exceptReads ? or(ne(apiRequests.method, "GET"), gte(apiRequests.status, 400)) : undefined,
    statusClass === undefined ? undefined : sql`${apiRequests.status} between ${statusClass * 100} and ${statusClass * 100 + 99}`,
    pathPrefix === undefined ? undefined : like(apiRequests.path, `${pathPrefix.replace(/[\\%_]/g, "\\$&")}%`),
    filter.from === undefined ? undefined : gte(apiRequests.at, filter.from),
    filter.to === undefined ? undefined : lt(apiRequests.at, filter.to),
  ];
}
