import * as log from "#db/queries/access/api-requests.ts";
import { isId } from "#domain/ids.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type { NamedApiRequest } from "#db/queries/access/api-requests.ts";

/** `partnerId` null: all partners, for an operator. */
export type ListApiRequests = { partnerId: string | null; filters?: Omit<log.ApiRequestFilter, "partnerId"> } & Partial<Walk>;

/** A page of the API log, newest first: a partner's own requests, or everybody's. Instants are real time. */
export async function listApiRequests(
  ctx: Uses<"db">,
  { partnerId, filters, limit = 50, position = null, direction = "older" }: ListApiRequests,
): Promise<Walked<log.NamedApiRequest>> {
  const read = (walk: Walk) => log.listApiRequests(ctx.db, own(partnerId, filters), walk);
  return await walkPage({ limit, position, direction }, read, ({ at, id }) => ({ createdAt: at, id }));
}

/**
 * One request of the log.
 *
 * @throws Refusal `not_found`, for a foreign one just as for one that never existed or was deleted.
 */
export async function readApiRequest(
  ctx: Uses<"db">,
  { partnerId, requestId }: { partnerId: string | null; requestId: string },
): Promise<log.NamedApiRequest> {
  if (!isId("request", requestId)) throw new Refusal("not_found");
  const { items } = await listApiRequests(ctx, { partnerId, filters: { requestId }, limit: 1 });
  const [request] = items;
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

function own(partnerId: string | null, filters: Omit<log.ApiRequestFilter, "partnerId"> | undefined): log.ApiRequestFilter {
  return { ...filters, ...(partnerId === null ? {} : { partnerId }) };
}
