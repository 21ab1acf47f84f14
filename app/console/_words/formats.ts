import { amountsIn } from "../_format/amount.ts";
import { measuresIn } from "../_format/measures.ts";
import { timesIn } from "../_format/time.ts";

const units = { day: "d", hour: "h", minute: "m" };

/** How values are written: with a screen's words, because each language has its own marks and months. */
export const FORMAT = {
  /** Between an amount's whole part and its decimals. */
  point: ".",
  ...amountsIn({ group: ",", point: "." }),
  ...measuresIn("en", units),
  ...timesIn("en-GB", { units, justNow: "just now", ago: (span) => `${span} ago`, ahead: (span) => `in ${span}` }),
};

export type Format = typeof FORMAT;
