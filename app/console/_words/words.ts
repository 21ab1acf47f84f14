import { useLanguage } from "../_components/frame/preferences.tsx";
import { pseudoWords, type Words } from "./pseudo.ts";

/** A screen's words in the language of who looks. There is English, and one that shows what was left out. */
export function useTranslations<Own extends Words>(words: Own): Own {
  return useLanguage() === "pseudo" ? pseudoWords(words) : words;
}
