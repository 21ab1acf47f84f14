import { z } from "zod";
import { plainText, wholeNumber } from "#contract/primitives.ts";

/** What most operations of this surface have in common. */

export const READ = { method: "GET", scope: "partner:read", kind: "read" } as const;
export const WRITE = { scope: "partner:write", kind: "write" } as const;

export const pageQuery = z.strictObject({
  skip: wholeNumber(0, 1_000_000).optional().describe("0 when left out"),
  limit: wholeNumber(1, 100).optional().describe("25 when left out"),
  search: plainText(1, 128).optional().describe("A part of a name or reference, in any case of letters"),
});

export const TOTAL_COUNT = { "X-Total-Count": "How many there are in all" } as const;
