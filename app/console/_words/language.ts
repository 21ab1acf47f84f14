import { pseudoWords, type Words } from "./pseudo.ts";
import type { Dictionary } from "./translation.ts";

/** `pseudo`: not a language, but a way to find untranslated texts. */
export const LANGUAGES = ["en", "fr", "pseudo"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The dictionaries that are loaded. English needs none, and a page in English loads none. */
const loaded = new Map<Language, Dictionary>();

export function addDictionary(language: Language, dictionary: Dictionary): void {
  loaded.set(language, dictionary);
}

/** The texts in a language whose dictionary is loaded ({@link addDictionary}). */
export function inLanguage<Own extends Words>(words: Own, language: Language): Own {
  if (language === "pseudo") return pseudoWords(words);
  return loaded.get(language)?.translate(words) ?? words;
}

/** The first of our languages that a browser asks for by `Accept-Language`; English where it asks for none of them. */
export function preferredLanguage(accepted: string | null): "en" | "fr" {
  const asked = (accepted ?? "").split(",").map((each) => {
    const [range = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    return { language: range.split("-")[0], weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  const known = asked.filter(({ language, weight }) => (language === "en" || language === "fr") && weight > 0);
  const [first] = known.toSorted((one, other) => other.weight - one.weight);
  return first?.language === "fr" ? "fr" : "en";
}
