import { plainText } from "#contract/primitives.ts";
import { settlementFilter } from "./requests.ts";

/** Which settlements stand beside this one in the list of that filter. */
export const settlementNeighbours = settlementFilter.extend({ tx_id: plainText(1, 64) });
