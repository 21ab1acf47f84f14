import { useLanguage } from "../_components/frame/preferences.tsx";
import { pseudoWords, type Words } from "./pseudo.ts";
import { type WithShared, withShared } from "./shared.ts";

/** A screen's texts, with the shared ones, in the user's language: English, or the pseudo-language that shows untranslated strings. */
export function useTranslations<Own extends Words>(words: Own): WithShared<Own> {
  const all = withShared(words);
  return useLanguage() === "pseudo" ? pseudoWords(all) : all;
}
