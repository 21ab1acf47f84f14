import { LOG_RANGES, STATUS_CLASSES } from "#domain/api-request.ts";
import { oneOf, text } from "../../../_components/lists/address-params.ts";
import { given, instantOf, listParams, type ParamsOf, uuidOf } from "../../../_components/lists/list-params.ts";

/** Instants are real time. The range applies only where there are none. */
export const API_LOG = listParams(
  {
    status: oneOf(STATUS_CLASSES),
    code: text,
    path: text,
    key: text,
    request: text,
    settlement: text,
    partner: text,
    from: text,
    to: text,
  },
  { apart: { range: oneOf(LOG_RANGES) }, size: 50 },
);
export type LogParams = ParamsOf<typeof API_LOG>;

/** The filter for the procedures; invalid values are dropped. */
export function filterOf({ status, code, path, key, partner, request, settlement, range, from, to }: LogParams) {
  return {
    range: range ?? ("24h" as const),
    ...given({
      status,
      code: code?.slice(0, 64),
      path: path?.slice(0, 256),
      key_id: uuidOf(key),
      partner_id: uuidOf(partner),
      request_id: request?.slice(0, 64),
      tx_id: settlement?.slice(0, 64),
      from: instantOf(from),
      to: instantOf(to),
    }),
  };
}

export function pageOf(params: LogParams) {
  return { ...filterOf(params), ...API_LOG.walkOf(params) };
}
