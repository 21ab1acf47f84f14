"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { Zone } from "../../_format/time.ts";
import type { Language } from "../../_words/language.ts";

/** A person's preferences, stored in cookies so that the first page already applies them. */
export type Preferences = {
  theme: "system" | "light" | "dark";
  zone: Zone;
  density: "compact" | "regular" | "roomy";
  shortcuts: "on" | "off";
  amounts: "shown" | "hidden";
  language: Language;
};

type Held = { preferences: Preferences; choose: <Name extends keyof Preferences>(name: Name, value: Preferences[Name]) => void };
const PreferencesContext = createContext<Held | null>(null);
const YEAR_SECONDS = 31_536_000;

export function PreferencesProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const [preferences, setPreferences] = useState(initial);
  const held = useMemo<Held>(
    () => ({
      preferences,
      choose(name, value) {
        setPreferences((before) => ({ ...before, [name]: value }));
        const secure = window.location.protocol === "https:" ? "; secure" : "";
        // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser, and this one holds no secret
        document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
        if (name === "theme") applyTheme(String(value));
      },
    }),
    [preferences],
  );
  return <PreferencesContext.Provider value={held}>{children}</PreferencesContext.Provider>;
}

export function usePreferences(): Held {
  const held = useContext(PreferencesContext);
  if (held === null) throw new Error("there is no PreferencesProvider around this");
  return held;
}

/** The language of texts, also for pages without a signed-in user. */
export function useLanguage(): Preferences["language"] {
  return useContext(PreferencesContext)?.preferences.language ?? "en";
}

function applyTheme(theme: string): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
