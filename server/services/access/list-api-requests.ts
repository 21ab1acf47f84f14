import * as log from "#db/queries/api-requests.ts";
import type { Uses } from "#server/context.ts";
import type { ApiRequest } from "#server/domain/api-request.ts";

export type ListApiRequests = {
  /** null: an operator's look at everybody's. */
  partnerId: string | null;
  filters?: Omit<log.ApiRequestFilter, "partnerId">;
  /** 1 to 100. */
  limit?: number;
  /** The last one of the page before. */
  cursor?: log.ApiRequestPosition | null;
};
export type ApiRequestPage = { requests: ApiRequest[]; next: log.ApiRequestPosition | null };

/** A page of the API log, newest first: a partner's own requests, or everybody's. Instants are real time. */
export async function listApiRequests(
  ctx: Uses<"db">,
  { partnerId, filters, limit = 50, cursor }: ListApiRequests,
): Promise<ApiRequestPage> {
  const rows = await log.listApiRequests(ctx.db, own(partnerId, filters), limit + 1, cursor ?? null);
  const requests = rows.slice(0, limit);
  const last = requests.at(-1);
  return { requests, next: rows.length > limit && last ? { at: last.at, id: last.id } : null };
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

function own(partnerId: string | null, filters: Omit<log.ApiRequestFilter, "partnerId"> | undefined): log.ApiRequestFilter {
  return { ...filters, ...(partnerId === null ? {} : { partnerId }) };
}
