import { addressBlock } from "#domain/address-block.ts";
import { refuseTooManyOf } from "./admit-key.ts";
import type { Callers } from "./callers.ts";
import { renderProblem } from "./problem.ts";
import type { RequestContext } from "./request-context.ts";
import type { Surface } from "./surface.ts";

/**
 * Operations outside of the two surfaces without key or signature, such as `GET /time`. One that reads rows for strangers (a POST) counts
 * against the limit of reads, by address.
 */
export const openSurface: Surface = {
  name: "system",
  isOpen: () => true,
  singleHeaders: () => [],
  admit: async (surfaceContext, requestContext, operation) => {
    if (operation.method === "POST")
      refuseTooManyOf(surfaceContext, requestContext, { id: addressBlock(requestContext.address), own: null }, operation.kind);
    return anybody(requestContext);
  },
  challenge: () => "",
  renderRefusal: renderProblem,
};

/** Only the caller's address is known. */
export function anybody({ raw, address }: RequestContext): Callers["anybody"] {
  return { kind: "anybody", address, requestId: raw.requestId };
}
