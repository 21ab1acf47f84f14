import type { Preferences } from "../_components/frame/preferences.tsx";
import { LANGUAGES, type Language } from "../_words/language.ts";

const CHOICES = {
  theme: ["system", "light", "dark"],
  zone: ["utc", "local"],
  density: ["compact", "regular", "roomy"],
  shortcuts: ["on", "off"],
  amounts: ["shown", "hidden"],
  language: LANGUAGES,
} as const satisfies { [Name in keyof Preferences]: readonly Preferences[Name][] };

/** The stored preferences. Missing or invalid ones get the first value of their kind; a missing language is `language`. */
export function readPreferences(cookie: (name: string) => string | undefined, language: Language): Preferences {
  const pick = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value =>
    values.find((value) => value === cookie(name)) ?? values[0];
  return {
    theme: pick("theme", CHOICES.theme),
    zone: pick("zone", CHOICES.zone),
    density: pick("density", ["regular", "compact", "roomy"]),
    shortcuts: pick("shortcuts", CHOICES.shortcuts),
    amounts: pick("amounts", CHOICES.amounts),
    language: CHOICES.language.find((each) => each === cookie("language")) ?? language,
  };
}
