import { z } from "zod";
import { plainText, wholeNumber } from "#contract/primitives.ts";

/** What most operations of this surface have in common. */

export const READ = { method: "GET", scope: "partner:read", kind: "read" } as const;
export const WRITE = { scope: "partner:write", kind: "write" } as const;

/** The page of a list. */
export const page = {
  skip: wholeNumber(0, 1_000_000).optional().describe("How many to pass over; 0 when left out"),
  limit: wholeNumber(1, 100).optional().describe("How many at most; 25 when left out"),
};

/** The position after the page, unaffected by new items. */
export const cursor = plainText(1, 256)
  .optional()
  .describe("The next cursor of the page before, in place of skip: pages by cursor neither repeat nor leave out what is there already");

export const pageQuery = z.strictObject({
  ...page,
  search: plainText(1, 128).optional().describe("Only those with this in a name or reference, in any case of letters"),
});

/** A list that is walked by cursor as well. */
export const walkQuery = pageQuery.extend({ cursor });

export const NEXT_CURSOR = { "X-Next-Cursor": "The cursor of the next page; empty: this is the last" } as const;
export const TOTAL_COUNT = { "X-Total-Count": "How many there are in all" } as const;
