"use client";

import { Section } from "../../_components/frame/page-parts.tsx";
import { type Preferences, usePreferences } from "../../_components/frame/preferences.tsx";

type Shown = { [Name in keyof Omit<Preferences, "language">]: { label: string; choices: Record<Preferences[Name], string> } };

const SHOWN: Shown = {
  theme: { label: "Theme", choices: { system: "As the system", light: "Light", dark: "Dark" } },
  density: { label: "Rows", choices: { compact: "Compact", regular: "Regular", roomy: "Roomy" } },
  zone: { label: "Times", choices: { utc: "UTC", local: "Your zone" } },
  amounts: { label: "Amounts", choices: { shown: "Shown", hidden: "Hidden" } },
  shortcuts: { label: "Single-key shortcuts", choices: { on: "On", off: "Off" } },
};

/** How one likes the console, in this browser. */
export function PreferenceChoices() {
  return (
    <Section title="Preferences" aside={<span className="muted">Kept in this browser</span>}>
      <div className="choice-rows">
        {(Object.keys(SHOWN) as (keyof Shown)[]).map((name) => (
          <Choice key={name} name={name} />
        ))}
      </div>
    </Section>
  );
}

function Choice<Name extends keyof Shown>({ name }: { name: Name }) {
  const { preferences, choose } = usePreferences();
  const { label, choices } = SHOWN[name];
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
