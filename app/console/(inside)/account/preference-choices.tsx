"use client";

import { Section } from "../../_components/frame/page-parts.tsx";
import { type Preferences, usePreferences } from "../../_components/frame/preferences.tsx";
import { useTranslations } from "../../_words/words.ts";
import { PREFERENCE_CHOICES } from "./words.ts";

/** `language` is not offered yet. */
type Shown = { [Name in keyof Omit<Preferences, "language">]: { label: string; choices: Record<Preferences[Name], string> } };

const SHOWN = ["theme", "density", "zone", "amounts", "shortcuts"] as const satisfies readonly (keyof Shown)[];

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

function Choice<Name extends keyof Shown>({ name }: { name: Name }) {
  const { preferences, choose } = usePreferences();
  const t: Shown = useTranslations(PREFERENCE_CHOICES);
  const { label, choices } = t[name];
  return (
    <fieldset className="choice-row">
      <legend>{label}</legend>
      {(Object.entries(choices) as [Preferences[Name], string][]).map(([value, word]) => (
        <label key={value} className="choice">
          <input type="radio" name={name} checked={preferences[name] === value} onChange={() => choose(name, value)} />
          {word}
        </label>
      ))}
    </fieldset>
  );
}
