import { z } from "zod";
import { instant, instantParameter, plainText } from "#contract/primitives.ts";
import { SIGNING_REFUSALS } from "#domain/api-request.ts";
import { logWalkFields, sinceField } from "#server/console/walk.ts";

/** What is asked and answered about the API log, in wire names. Strict, as every request. Instants are real time. */

export const LOG_RANGES = ["1h", "24h", "7d", "30d"] as const;
export const STATUS_CLASSES = ["2xx", "4xx", "5xx"] as const;

const logFilterFields = {
  /** For the operator's people; of a partner's it is the own one, whatever is said. */
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
};
export const logFilter = z.strictObject(logFilterFields);
export type LogFilterInput = z.output<typeof logFilter>;

export const logPage = z.strictObject({
  ...logFilterFields,
  /** Only what changed something, or was refused. */
  except_reads: z.boolean().default(false),
  ...logWalkFields,
});
/** How many came since: the filter of a list, and the cursor of its first row. */
export const logSince = z.strictObject({ ...logFilterFields, ...sinceField });
export const oneRequest = z.strictObject({ request_id: plainText(1, 64) });

type LoggedRequest = {
  id: string;
  at: Date;
  partnerId: string | null;
  partnerName: string | null;
  apiKeyId: string | null;
  key: { name: string; lastFour: string } | null;
  personName: string | null;
  surface: string;
  operation: string;
  method: string;
  path: string;
  query: string;
  status: number;
  code: string | null;
  durationMs: number;
  address: string;
  replayed: boolean;
  settlementId: string | null;
  hasParticulars: boolean;
};

/** A request of the log. Never a secret, a key or a body. */
export function renderRequest(request: LoggedRequest) {
  const { partnerId, partnerName, apiKeyId, key } = request;
  return {
    request_id: request.id,
    at: instant(request.at),
    partner: partnerId === null ? null : { id: partnerId, name: partnerName ?? "" },
    key: apiKeyId === null ? null : { id: apiKeyId, name: key?.name ?? "A key that is gone", last_four: key?.lastFour ?? "" },
    person: request.personName,
    surface: request.surface,
    operation: request.operation,
    method: request.method,
    path: request.path,
    query: request.query,
    status: request.status,
    code: request.code,
    duration_ms: Math.round(request.durationMs * 10) / 10,
    address: request.address,
    replayed: request.replayed,
    tx_id: request.settlementId,
    /** Why it was refused can be told in detail. */
    explainable: request.hasParticulars,
    /** It would be, had its particulars not been forgotten. */
    was_explainable: request.code !== null && SIGNING_REFUSALS.includes(request.code),
  };
}
export type RequestWire = ReturnType<typeof renderRequest>;
