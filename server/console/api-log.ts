import { z } from "zod";
import { instant, instantParameter, plainText } from "#contract/primitives.ts";
import { toInside, toWire } from "#contract/wire.ts";
import { LOG_RANGES, REFUSED_BODY_DAYS, SIGNING_REFUSALS, STATUS_CLASSES } from "#domain/api-request.ts";
import { isId } from "#domain/ids.ts";
import { mayLag, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { explainRejectedSignature } from "#server/services/access/explain-rejected-signature.ts";
import { listApiKeys } from "#server/services/access/list-api-keys.ts";
import { listApiRequests, type NamedApiRequest, readApiRequest, summarizeApiRequests } from "#server/services/access/list-api-requests.ts";
import { listPartners } from "#server/services/partners/read-partners.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { logWalkFields, readSince, readWalk, renderWalked, sinceField } from "./walk.ts";

const HOUR_MS = 3_600_000;
const RANGE_MS = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS };
const CLASSES = { "2xx": 2, "4xx": 4, "5xx": 5 } as const;

const isOwn = (id: string) => isId("request", id);

const logFilter = z.strictObject({
  /** For operators; a partner's users always get their own partner. */
  partner_id: z.uuid().optional(),
  status: z.enum(STATUS_CLASSES).optional(),
  code: plainText(1, 64).optional(),
  /** How the path begins. */
  path: plainText(1, 256).optional(),
  key_id: z.uuid().optional(),
  request_id: plainText(1, 64).optional(),
  tx_id: plainText(1, 64).optional(),
  /** Until now; `from` and `to` in its place are exact. */
  range: z.enum(LOG_RANGES).default("24h"),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
});
/** `except_reads`: only what changed something, or was refused. */
const logPage = logFilter.extend({ except_reads: z.boolean().default(false), ...logWalkFields });
const oneRequest = z.strictObject({ request_id: plainText(1, 64) });

/** The API log: a partner's own requests for its people, everybody's for the operator's. Instants are real time. */
export const apiLogRouter = router({
  list: personProcedure
    .use(mayLag)
    .input(logPage)
    .query(async ({ ctx: { services, holder }, input }) => {
      const { limit, cursor, direction, except_reads: exceptReads, ...filter } = input;
      const now = services.clock.now();
      const { partnerId, filters } = readFilter(filter, holder, now);
      const walk = readWalk({ limit, cursor, direction }, isOwn);
      return renderWalked(await listApiRequests(services, { partnerId, filters: { ...filters, exceptReads }, ...walk }), renderRequest);
    }),

  /** How many were answered since the first row in sight, to at most a hundred. */
  since: personProcedure
    .use(mayLag)
    .input(logFilter.extend(sinceField))
    .query(async ({ ctx: { services, holder }, input }) => {
      const { cursor, ...filter } = input;
      const asked = { ...readFilter(filter, holder, services.clock.now()), ...readSince(cursor, isOwn) };
      return { count: (await listApiRequests(services, asked)).items.length };
    }),

  /** The histogram by class of status, and the refusals by code and operation. */
  summary: personProcedure
    .use(mayLag)
    .input(logFilter)
    .query(async ({ ctx: { services, holder }, input }) => {
      const now = services.clock.now();
      const { partnerId, filters } = readFilter(input, holder, now);
      const { from, to = now, ...rest } = filters;
      const summary = await summarizeApiRequests(services, { partnerId, filters: rest, from, to });
      return {
        from: instant(from),
        to: instant(to),
        span_seconds: summary.spanSeconds,
        bars: summary.counts.map((bar) => toWire(bar, "at", "statusClass", "count")),
        refusals: summary.refusals.map((refusal) => {
          return toWire(refusal, "code", "status", "operation", "count", "latestAt", "sampleRequestId");
        }),
      };
    }),

  /** The values of the filters, and how long the log keeps its data. */
  choices: personProcedure.query(async ({ ctx: { services, holder, settings } }) => {
    const isOperator = holder.partnerId === null;
    const [keys, partners] = await Promise.all([
      isOperator ? { items: [] } : listApiKeys(services, { ...tenantOf(holder), skip: 0, limit: 200 }),
      isOperator ? listPartners(services, { skip: 0, limit: 200 }) : { items: [] },
    ]);
    return {
      keys: keys.items.map((key) => toWire(key, "id", "name", "lastFour")),
      partners: partners.items.map(({ id, name }) => ({ id, name })),
      log_days: settings.retention.api_log,
      body_days: REFUSED_BODY_DAYS,
    };
  }),

  byId: personProcedure.input(oneRequest).query(async ({ ctx: { services, holder, settings }, input }) => {
    const request = await readApiRequest(services, { partnerId: holder.partnerId, requestId: input.request_id });
    return {
      ...renderRequest(request),
      log_days: settings.retention.api_log,
      body_days: REFUSED_BODY_DAYS,
      base_url: settings.baseUrl,
      brand: settings.brand,
    };
  }),

  /** Why a signature was refused, computed on demand. Contains neither a secret nor the right signature. */
  explain: personProcedure.input(oneRequest).query(async ({ ctx: { services, holder }, input }) => {
    const explained = await explainRejectedSignature(services, { ...tenantOf(holder), requestId: input.request_id });
    return {
      ...toWire(explained, "checks", "verdict", "components", "bodyIsUtf8", "bodySha256", "signingStringSha256", "receivedSignature"),
      ...toWire(explained, "lengths", "contentType"),
    };
  }),
});

/** The filter; the partner is the session's, and only the operator's people may name one. */
function readFilter(asked: z.output<typeof logFilter>, holder: SessionHolder, now: Date) {
  const { partnerId, status, path, keyId, txId, range, ...same } = toInside(asked);
  // An id is looked for wherever it is.
  const from = same.from ?? new Date((same.to ?? now).getTime() - RANGE_MS[same.requestId ? "30d" : range]);
  return {
    partnerId: tenantOf(holder, partnerId).partnerId ?? null,
    filters: {
      ...same,
      from,
      ...(status && { statusClass: CLASSES[status] }),
      ...(path && { pathPrefix: path }),
      ...(keyId && { apiKeyId: keyId }),
      ...(txId && { settlementId: txId }),
    },
  };
}

/** A request of the log. Never a secret, a key or a body. */
function renderRequest(request: NamedApiRequest) {
  const { partnerId, partnerName, apiKeyId, key, code } = request;
  return {
    ...toWire(request, "at", "surface", "operation", "method", "path", "query", "status", "code", "address", "replayed"),
    request_id: request.id,
    partner: partnerId === null ? null : { id: partnerId, name: partnerName ?? "" },
    key: apiKeyId === null ? null : { id: apiKeyId, name: key?.name ?? "A key that is gone", last_four: key?.lastFour ?? "" },
    person: request.personName,
    duration_ms: Math.round(request.durationMs * 10) / 10,
    tx_id: request.settlementId,
    /** Whether the refusal can be explained in detail. */
    explainable: request.hasParticulars,
    /** It would be, had its particulars not been forgotten. */
    was_explainable: code !== null && SIGNING_REFUSALS.includes(code),
  };
}
