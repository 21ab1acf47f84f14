import { type LogFilterInput, logFilter, logPage, logSince, oneRequest, renderRequest } from "#contract/console/api-log.ts";
import { instant } from "#contract/primitives.ts";
import { API_LOG_DAYS, REFUSED_BODY_DAYS } from "#domain/api-request.ts";
import { isId } from "#domain/ids.ts";
import { personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { explainRejectedSignature } from "#server/services/access/explain-rejected-signature.ts";
import { listApiKeys } from "#server/services/access/list-api-keys.ts";
import { listApiRequests, readApiRequest, summarizeApiRequests } from "#server/services/access/list-api-requests.ts";
import { listPartners } from "#server/services/partners/list-partners.ts";
import type { SessionHolder } from "#server/services/people/sessions/authenticate-session.ts";
import { readSince, readWalk, renderWalked } from "./walk.ts";

const HOUR_MS = 3_600_000;
const RANGE_MS = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS };
const CLASSES = { "2xx": 2, "4xx": 4, "5xx": 5 } as const;

const isOwn = (id: string) => isId("request", id);

/** The API log: a partner's own requests for its people, everybody's for the operator's. Instants are real time. */
export const apiLogRouter = router({
  list: personProcedure.input(logPage).query(async ({ ctx: { services, holder }, input }) => {
    const { limit, cursor, direction, except_reads: exceptReads, ...filter } = input;
    const now = services.clock.now();
    const { partnerId, filters } = readFilter(filter, holder, now);
    const walk = readWalk({ limit, cursor, direction }, isOwn);
    return renderWalked(await listApiRequests(services, { partnerId, filters: { ...filters, exceptReads }, ...walk }), renderRequest);
  }),

  /** How many were answered since the first row in sight, to at most a hundred. */
  since: personProcedure.input(logSince).query(async ({ ctx: { services, holder }, input }) => {
    const { cursor, ...filter } = input;
    const asked = { ...readFilter(filter, holder, services.clock.now()), ...readSince(cursor, isOwn) };
    return { count: (await listApiRequests(services, asked)).items.length };
  }),

  /** The histogram by class of status, and the refusals by code and operation. */
  summary: personProcedure.input(logFilter).query(async ({ ctx: { services, holder }, input }) => {
    const now = services.clock.now();
    const { partnerId, filters } = readFilter(input, holder, now);
    const { from, to = now, ...rest } = filters;
    const summary = await summarizeApiRequests(services, { partnerId, filters: rest, from, to });
    return {
      from: instant(from),
      to: instant(to),
      span_seconds: summary.spanSeconds,
      bars: summary.counts.map(({ at, statusClass, count }) => ({ at: instant(at), status_class: statusClass, count })),
      refusals: summary.refusals.map(({ code, status, operation, count, latestAt, sampleRequestId }) => ({
        ...{ code, status, operation, count },
        latest_at: instant(latestAt),
        sample_request_id: sampleRequestId,
      })),
    };
  }),

  /** What there is to choose from in the filters, and how long the log keeps what. */
  choices: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const isOperator = holder.partnerId === null;
    const [keys, partners] = await Promise.all([
      isOperator ? { items: [] } : listApiKeys(services, { ...tenantOf(holder), skip: 0, limit: 200 }),
      isOperator ? listPartners(services, { skip: 0, limit: 200 }) : { items: [] },
    ]);
    return {
      keys: keys.items.map(({ id, name, lastFour }) => ({ id, name, last_four: lastFour })),
      partners: partners.items.map(({ id, name }) => ({ id, name })),
      log_days: API_LOG_DAYS,
      body_days: REFUSED_BODY_DAYS,
    };
  }),

  byId: personProcedure.input(oneRequest).query(async ({ ctx: { services, holder, settings }, input }) => {
    const request = await readApiRequest(services, { partnerId: holder.partnerId, requestId: input.request_id });
    return {
      ...renderRequest(request),
      log_days: API_LOG_DAYS,
      body_days: REFUSED_BODY_DAYS,
      base_url: settings.baseUrl,
      brand: settings.brand,
    };
  }),

  /** Why a request was refused as signed: computed when somebody asks. Neither a secret nor the right signature is in it. */
  explain: personProcedure.input(oneRequest).query(async ({ ctx: { services, holder }, input }) => {
    const explained = await explainRejectedSignature(services, { ...tenantOf(holder), requestId: input.request_id });
    return {
      checks: explained.checks,
      verdict: explained.verdict,
      components: explained.components,
      lengths: explained.lengths,
      body_is_utf8: explained.bodyIsUtf8,
      body_sha256: explained.bodySha256,
      signing_string_sha256: explained.signingStringSha256,
      received_signature: explained.receivedSignature,
      content_type: explained.contentType,
    };
  }),
});

/** The filter; the partner is the session's, and only the operator's people may name one. */
function readFilter(input: LogFilterInput, holder: SessionHolder, now: Date) {
  // An id is looked for wherever it is.
  const range = input.request_id ? "30d" : input.range;
  const from = input.from ?? new Date((input.to ?? now).getTime() - RANGE_MS[range]);
  return {
    partnerId: holder.partnerId ?? input.partner_id ?? null,
    filters: {
      ...(input.status && { statusClass: CLASSES[input.status] }),
      ...(input.code && { code: input.code }),
      ...(input.path && { pathPrefix: input.path }),
      ...(input.key_id && { apiKeyId: input.key_id }),
      ...(input.request_id && { requestId: input.request_id }),
      ...(input.tx_id && { settlementId: input.tx_id }),
      from,
      ...(input.to && { to: input.to }),
    },
  };
}
