import { z } from "zod";
import { plainText, wholeNumber } from "#contract/primitives.ts";

/** What most operations of this surface have in common. */

export const READ = { method: "GET", scope: "partner:read", kind: "read" } as const;
export const WRITE = { scope: "partner:write", kind: "write" } as const;

/** The page of a list. */
export const page = {
  skip: wholeNumber(0, 1_000_000).optional().describe("How many items to skip. The default is 0"),
  limit: wholeNumber(1, 100).optional().describe("The most items to return, 1 to 100. The default is 25"),
};

/** The position after the page, unaffected by new items. */
export const cursor = plainText(1, 256)
  .optional()
  .describe(
    "The next cursor of the previous page, in place of skip. Pages by cursor neither repeat nor miss an item when new ones are added",
  );

export const pageQuery = z.strictObject({
  ...page,
  search: plainText(1, 128)
    .optional()
    .describe("Return only items whose name or reference contains this text. Upper and lower case are the same"),
});

/** A list that is walked by cursor as well. */
export const walkQuery = pageQuery.extend({ cursor });

export const NEXT_CURSOR = { "X-Next-Cursor": "The cursor of the next page. Empty on the last page" } as const;
export const TOTAL_COUNT = { "X-Total-Count": "The number of items in all" } as const;
