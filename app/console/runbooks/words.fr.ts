import { translated } from "../_words/translation.ts";
import { RUNBOOKS_PAGE } from "./words.ts";

/** French. */
export const RUNBOOKS_WORDS_FR = translated(
  { RUNBOOKS_PAGE },
  {
    RUNBOOKS_PAGE: {
      title: "Procédures",
      runbook: (name) => `Procédure ${name}`,
      all: "Toutes les procédures",
      console: "Console",
      navigation: "Procédures",
    },
  },
);
