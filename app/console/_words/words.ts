import { useLanguage } from "../_components/frame/preferences.tsx";
import { pseudoWords, type Words } from "./pseudo.ts";

/** A screen's texts in the user's language: English, or the pseudo-language that shows untranslated strings. */
export function useTranslations<Own extends Words>(words: Own): Own {
  return useLanguage() === "pseudo" ? pseudoWords(words) : words;
}
