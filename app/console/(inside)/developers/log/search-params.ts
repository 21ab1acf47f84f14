import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { LOG_RANGES, STATUS_CLASSES } from "#domain/api-request.ts";

/** Everything that makes up what the log shows is in its address. Instants are real time. */
export const LOG_PARAMS = {
  status: parseAsStringLiteral(STATUS_CLASSES),
  code: parseAsString,
  path: parseAsString,
  key: parseAsString,
  request: parseAsString,
  settlement: parseAsString,
  partner: parseAsString,
  range: parseAsStringLiteral(LOG_RANGES),
  from: parseAsString,
  to: parseAsString,
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
};
export type LogParams = inferParserType<typeof LOG_PARAMS>;
export type SetLogParams = (next: Partial<LogParams>) => void;

export const loadLogParams = createLoader(LOG_PARAMS);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An instant out of the address; null for what is none. */
function instantOf(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The filter as the procedures take it; what could be no value of its kind is left out. */
export function logFilterOf(params: LogParams) {
  const [from, to] = [instantOf(params.from), instantOf(params.to)];
  return {
    ...(params.status && { status: params.status }),
    ...(params.code && { code: params.code.slice(0, 64) }),
    ...(params.path && { path: params.path.slice(0, 256) }),
    ...(params.key && UUID.test(params.key) && { key_id: params.key }),
    ...(params.partner && UUID.test(params.partner) && { partner_id: params.partner }),
    ...(params.request && { request_id: params.request.slice(0, 64) }),
    ...(params.settlement && { tx_id: params.settlement.slice(0, 64) }),
    range: params.range ?? ("24h" as const),
    ...(from && { from }),
    ...(to && { to }),
  };
}

export function logPageOf(params: LogParams) {
  const limit: 25 | 50 | 100 = params.limit === 25 || params.limit === 100 ? params.limit : 50;
  return {
    ...logFilterOf(params),
    limit,
    ...(params.cursor && { cursor: params.cursor.slice(0, 256) }),
    direction: params.direction ?? ("older" as const),
  };
}

export const FROM_THE_TOP = { cursor: null, direction: null } as const;
export const NO_FILTER = {
  ...FROM_THE_TOP,
  ...{ status: null, code: null, path: null, key: null, request: null, settlement: null, partner: null, from: null, to: null },
} as const;
