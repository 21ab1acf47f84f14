import { addressBlock } from "#domain/address-block.ts";
import { refuseTooManyOf } from "./admit-key.ts";
import type { Callers } from "./callers.ts";
import type { Passage } from "./passage.ts";
import { renderProblem } from "./problem.ts";
import type { Surface } from "./surface.ts";

/**
 * What is outside of the two surfaces and needs neither key nor signature, such as `GET /time`. What reads rows for strangers (a POST) counts
 * against the limit of reads, by address.
 */
export const openSurface: Surface = {
  name: "system",
  isOpen: () => true,
  singleHeaders: () => [],
  admit: async (door, passage, operation) => {
    if (operation.method === "POST") refuseTooManyOf(door, passage, { id: addressBlock(passage.address), own: null }, operation.kind);
    return anybody(passage);
  },
  challenge: () => "",
  renderRefusal: renderProblem,
};

/** Of the caller nothing is known but where it calls from. */
export function anybody({ raw, address }: Passage): Callers["anybody"] {
  return { kind: "anybody", address, requestId: raw.requestId };
}
