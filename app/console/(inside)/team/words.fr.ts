import { translated } from "../../_words/translation.ts";
import { PAGE } from "./words.ts";

/** French. */
export const TEAM_WORDS_FR = translated({ PAGE }, { PAGE: { title: "Équipe" } });
