import { translated } from "../../../_words/translation.ts";
import { CALLBACK_PAGE, PAGE } from "./words.ts";

/** French. */
export const CALLBACK_PAGE_WORDS_FR = translated(
  { PAGE, CALLBACK_PAGE },
  {
    PAGE: { title: (id) => `Callback ${id}` },
    CALLBACK_PAGE: {
      callback: (event) => `Callback « ${event} »`,
      givenUp: "Abandonné",
    },
  },
);
