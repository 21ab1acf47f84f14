import { addressBlock } from "#domain/address-block.ts";
import { refuseTooManyOf } from "./admit-key.ts";
import type { Callers } from "./callers.ts";
import { renderProblem } from "./problem.ts";
import type { RequestContext } from "./request-context.ts";
import type { Surface } from "./surface.ts";

/**
 * What is outside of the two surfaces and needs neither key nor signature, such as `GET /time`. What reads rows for strangers (a POST) counts
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

/** Of the caller nothing is known but where it calls from. */
export function anybody({ raw, address }: RequestContext): Callers["anybody"] {
  return { kind: "anybody", address, requestId: raw.requestId };
}
