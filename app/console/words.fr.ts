import { translated } from "./_words/translation.ts";
import { CONSOLE } from "./words.ts";

/** French. */
export const CONSOLE_WORDS_FR = translated({ CONSOLE }, { CONSOLE: { title: "Console" } });
