import { Clock, Eye, EyeOff, Keyboard, LogOut, type LucideIcon, Moon, Rows3, Sun, SunMoon } from "lucide-react";
import { signOut } from "../../_format/sign-in.ts";
import { useWords } from "../../_words/words.ts";
import { PALETTE_ACTIONS } from "./palette-words.ts";
import { usePreferences } from "./preferences.tsx";
import { useShortcuts } from "./shortcuts.tsx";

/** `isData`: its label is an id, a name, or a page that was looked at. */
export type PaletteItem = {
  id: string;
  label: string;
  isData?: boolean;
  aside?: string;
  isKey?: boolean;
  icon?: LucideIcon;
  run: () => void;
};

/** What may be switched from anywhere; what holds already is not offered. */
export function usePaletteActions(): PaletteItem[] {
  const says = useWords(PALETTE_ACTIONS);
  const { preferences, choose } = usePreferences();
  const { showAll } = useShortcuts();
  const { theme, density, amounts, zone } = preferences;
  const actions: (PaletteItem | false)[] = [
    theme !== "light" && { id: "light", label: says.useLightTheme, icon: Sun, run: () => choose("theme", "light") },
    theme !== "dark" && { id: "dark", label: says.useDarkTheme, icon: Moon, run: () => choose("theme", "dark") },
    theme !== "system" && { id: "system", label: says.useSystemsTheme, icon: SunMoon, run: () => choose("theme", "system") },
    density !== "compact" && { id: "compact", label: says.showCompactRows, icon: Rows3, run: () => choose("density", "compact") },
    density !== "regular" && { id: "regular", label: says.showRegularRows, icon: Rows3, run: () => choose("density", "regular") },
    density !== "roomy" && { id: "roomy", label: says.showRoomyRows, icon: Rows3, run: () => choose("density", "roomy") },
    amounts === "shown"
      ? { id: "hide", label: says.hideAmounts, icon: EyeOff, run: () => choose("amounts", "hidden") }
      : { id: "show", label: says.showAmounts, icon: Eye, run: () => choose("amounts", "shown") },
    zone === "utc"
      ? { id: "local", label: says.showTimesMy, icon: Clock, run: () => choose("zone", "local") }
      : { id: "utc", label: says.showTimesUtc, icon: Clock, run: () => choose("zone", "utc") },
    { id: "shortcuts", label: says.showKeyboardShortcuts, icon: Keyboard, aside: "?", isKey: true, run: showAll },
    { id: "sign-out", label: says.signOut, icon: LogOut, run: () => void signOut() },
  ];
  return actions.filter((action) => action !== false);
}
