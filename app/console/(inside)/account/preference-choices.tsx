"use client";

import { Section } from "../../_components/frame/page-header.tsx";
import { type Preferences, usePreferences } from "../../_components/frame/preferences.tsx";

type Shown = { [Name in keyof Preferences]: { label: string; choices: readonly { value: Preferences[Name]; label: string }[] } };

const SHOWN: Shown = {
  theme: {
    label: "Theme",
    choices: [
      { value: "system", label: "As the system" },
      { value: "light", label: "Light" },
      { value: "dark", label: "Dark" },
    ],
  },
  density: {
    label: "Rows",
    choices: [
      { value: "compact", label: "Compact" },
      { value: "regular", label: "Regular" },
      { value: "roomy", label: "Roomy" },
    ],
  },
  zone: {
    label: "Times",
    choices: [
      { value: "utc", label: "UTC" },
      { value: "local", label: "Your zone" },
    ],
  },
  amounts: {
    label: "Amounts",
    choices: [
      { value: "shown", label: "Shown" },
      { value: "hidden", label: "Hidden" },
    ],
  },
  shortcuts: {
    label: "Single-key shortcuts",
    choices: [
      { value: "on", label: "On" },
      { value: "off", label: "Off" },
    ],
  },
};

/** How one likes the console, in this browser. */
export function PreferenceChoices() {
  return (
    <Section title="Preferences" aside={<span className="muted">Kept in this browser</span>}>
      <div className="choice-rows">
        <Choice name="theme" />
        <Choice name="density" />
        <Choice name="zone" />
        <Choice name="amounts" />
        <Choice name="shortcuts" />
      </div>
    </Section>
  );
}

function Choice<Name extends keyof Preferences>({ name }: { name: Name }) {
  const { preferences, choose } = usePreferences();
  const { label, choices } = SHOWN[name];
  return (
    <fieldset className="choice-row">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="choice">
          <input type="radio" name={name} checked={preferences[name] === choice.value} onChange={() => choose(name, choice.value)} />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
