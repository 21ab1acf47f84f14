import { amountsIn } from "../_format/amount.ts";
import { measuresIn } from "../_format/measures.ts";
import { timesIn } from "../_format/time.ts";
import { FORMAT } from "./formats.ts";
import { translated } from "./translation.ts";

const units = { day: "j", hour: "h", minute: "min" };

/** Groups of digits are separated by a narrow no-break space, as `Intl` writes them in French. */
export const FORMAT_FR = translated(
  { FORMAT },
  {
    FORMAT: {
      point: ",",
      ...amountsIn({ group: "\u202f", point: "," }),
      ...measuresIn("fr", units),
      ...timesIn("fr", { units, justNow: "à l’instant", ago: (span) => `il y a ${span}`, ahead: (span) => `dans ${span}` }),
    },
  },
);
