import { translated } from "../../_words/translation.ts";
import { OPENER } from "./opener-words.ts";

/** French. */
export const WORKBENCH_OPENER_WORDS_FR = translated(
  { OPENER },
  {
    OPENER: { open: "Atelier" },
  },
);
