import * as log from "#db/queries/access/api-requests.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type ListApiRequests = {
  /** null: an operator's look at everybody's. */
  partnerId: string | null;
  filters?: Omit<log.ApiRequestFilter, "partnerId">;
  /** 1 to 100. */
  limit?: number;
  /** The last one of the page before, or with `newer` the first one of the page after. */
  cursor?: log.ApiRequestPosition | null;
  direction?: "older" | "newer";
};
export type ApiRequestPage = {
  requests: log.NamedApiRequest[];
  /** Where the next page begins; null: there is none. */
  next: log.ApiRequestPosition | null;
  newer: log.ApiRequestPosition | null;
};

/** A page of the API log, newest first: a partner's own requests, or everybody's. Instants are real time. */
export async function listApiRequests(
  ctx: Uses<"db">,
  { partnerId, filters, limit = 50, cursor = null, direction = "older" }: ListApiRequests,
): Promise<ApiRequestPage> {
  const rows = await log.listApiRequests(ctx.db, own(partnerId, filters), limit + 1, cursor, direction);
  const hasMore = rows.length > limit;
  const nearest = rows.slice(0, limit);
  const requests = direction === "older" ? nearest : nearest.toReversed();
  const isWhere = direction === "older" ? { older: hasMore, newer: cursor !== null } : { older: cursor !== null, newer: hasMore };
  return { requests, next: isWhere.older ? placeOf(requests.at(-1)) : null, newer: isWhere.newer ? placeOf(requests[0]) : null };
}

/**
 * One request of the log.
 *
 * @throws Refusal `not_found`, for a foreign one just as for one that never was or is forgotten.
 */
export async function readApiRequest(
  ctx: Uses<"db">,
  { partnerId, requestId }: { partnerId: string | null; requestId: string },
): Promise<log.NamedApiRequest> {
  const [request] = isId("request", requestId) ? await log.listApiRequests(ctx.db, own(partnerId, { requestId }), 1, null) : [];
  if (request === undefined) throw new Refusal("not_found");
  return request;
}

export type SummarizeApiRequests = {
  partnerId: string | null;
  filters?: Omit<log.ApiRequestFilter, "partnerId" | "from" | "to">;
  from: Date;
  to: Date;
};
export type ApiRequestSummary = { spanSeconds: number; counts: log.RequestCount[]; refusals: log.RefusalCount[] };

const BARS = 60;
const SPANS_SECONDS = [10, 60, 300, 900, 3_600, 10_800, 43_200, 86_400];
const REFUSALS = 50;

/** The histogram over a range by class of status, in at most some sixty spans, and the refusals by code and operation. */
export async function summarizeApiRequests(
  ctx: Uses<"db">,
  { partnerId, filters, from, to }: SummarizeApiRequests,
): Promise<ApiRequestSummary> {
  const seconds = Math.max(1, (to.getTime() - from.getTime()) / 1_000);
  const spanSeconds = SPANS_SECONDS.find((span) => seconds / span <= BARS) ?? Math.ceil(seconds / BARS / 86_400) * 86_400;
  const filter = { ...own(partnerId, filters), from, to };
  const counts = await log.countApiRequests(ctx.db, filter, spanSeconds);
  const refusals = await log.countApiRefusals(ctx.db, filter, REFUSALS);
  return { spanSeconds, counts, refusals };
}

function placeOf(request: log.NamedApiRequest | undefined): log.ApiRequestPosition | null {
  return request ? { at: request.at, id: request.id } : null;
}

function own(partnerId: string | null, filters: Omit<log.ApiRequestFilter, "partnerId"> | undefined): log.ApiRequestFilter {
  return { ...filters, ...(partnerId === null ? {} : { partnerId }) };
}
