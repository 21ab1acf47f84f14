"use client";

import { Section } from "../../_components/frame/page-parts.tsx";
import { type Preferences, usePreferences } from "../../_components/frame/preferences.tsx";
import { useTranslations } from "../../_words/words.ts";
import { PREFERENCE_CHOICES } from "./words.ts";

/** The pseudo-language is not for users. */
type Offered = Omit<Preferences, "language"> & { language: Exclude<Preferences["language"], "pseudo"> };
type Shown = { [Name in keyof Offered]: { label: string; choices: Record<Offered[Name], string> } };

const SHOWN = ["language", "theme", "density", "zone", "amounts", "shortcuts"] as const satisfies readonly (keyof Shown)[];

/** The user's preferences for the console, in this browser. */
export function PreferenceChoices() {
  const t = useTranslations(PREFERENCE_CHOICES);
  return (
    <Section title={t.title} aside={<span className="muted">{t.keptInBrowser}</span>}>
      <div className="choice-rows">
        {SHOWN.map((name) => (
          <Choice key={name} name={name} />
        ))}
      </div>
    </Section>
  );
}

function Choice<Name extends (typeof SHOWN)[number]>({ name }: { name: Name }) {
  const { preferences, choose } = usePreferences();
  const t: Shown = useTranslations(PREFERENCE_CHOICES);
  const { label, choices } = t[name];
  const take = (value: Offered[Name]) => {
    choose(name, value);
    // The server writes a part of each page, and its title.
    if (name === "language") window.location.reload();
  };
  return (
    <fieldset className="choice-row">
      <legend>{label}</legend>
      {(Object.entries(choices) as [Offered[Name], string][]).map(([value, word]) => (
        <label key={value} className="choice">
          <input type="radio" name={name} checked={preferences[name] === value} onChange={() => take(value)} />
          {word}
        </label>
      ))}
    </fieldset>
  );
}
