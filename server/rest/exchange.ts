import type { RawRequest } from "./raw-request.ts";

/**
 * How a request gets from the front door past Next to a route handler. Next rewrites targets, drops parameters and merges
 * headers, so the front door keeps the request as it was on the wire here, under its request id, and Next carries nothing but
 * this id. Front door and handlers run in one process but are two copies of the code, hence the global.
 */
declare global {
  var settlementExchanges: Map<string, RawRequest> | undefined;
}

/** Set by the front door alone; whatever a client sends under this name is thrown away. */
export const EXCHANGE_HEADER = "x-front-door-exchange";

export function exchanges(): Map<string, RawRequest> {
  globalThis.settlementExchanges ??= new Map();
  return globalThis.settlementExchanges;
}
