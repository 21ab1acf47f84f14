import { Clock, Eye, EyeOff, Keyboard, LogOut, type LucideIcon, Moon, Rows3, Sun, SunMoon } from "lucide-react";
import { signOut } from "../../_format/sign-in.ts";
import { useTranslations } from "../../_words/words.ts";
import { PALETTE_ACTIONS } from "./palette-words.ts";
import { usePreferences } from "./preferences.tsx";
import { useShortcuts } from "./shortcuts.tsx";

/** `isData`: its label is an id, a name, or a page that was visited. */
export type PaletteItem = {
  id: string;
  label: string;
  isData?: boolean;
  aside?: string;
  isKey?: boolean;
  /** It presses a button of the page. */
  isOfPage?: boolean;
  icon?: LucideIcon;
  run: () => void;
};

/** Settings that can be changed from anywhere. The present value is not offered. */
export function usePaletteActions(): PaletteItem[] {
  const t = useTranslations(PALETTE_ACTIONS);
  const { preferences, choose } = usePreferences();
  const { showAll } = useShortcuts();
  const { theme, density, amounts, zone } = preferences;
  const actions: (PaletteItem | false)[] = [
    theme !== "light" && { id: "light", label: t.useLightTheme, icon: Sun, run: () => choose("theme", "light") },
    theme !== "dark" && { id: "dark", label: t.useDarkTheme, icon: Moon, run: () => choose("theme", "dark") },
    theme !== "system" && { id: "system", label: t.useSystemsTheme, icon: SunMoon, run: () => choose("theme", "system") },
    density !== "compact" && { id: "compact", label: t.showCompactRows, icon: Rows3, run: () => choose("density", "compact") },
    density !== "regular" && { id: "regular", label: t.showRegularRows, icon: Rows3, run: () => choose("density", "regular") },
    density !== "roomy" && { id: "roomy", label: t.showRoomyRows, icon: Rows3, run: () => choose("density", "roomy") },
    amounts === "shown"
      ? { id: "hide", label: t.hideAmounts, icon: EyeOff, run: () => choose("amounts", "hidden") }
      : { id: "show", label: t.showAmounts, icon: Eye, run: () => choose("amounts", "shown") },
    zone === "utc"
      ? { id: "local", label: t.showLocalTimes, icon: Clock, run: () => choose("zone", "local") }
      : { id: "utc", label: t.showUtcTimes, icon: Clock, run: () => choose("zone", "utc") },
    { id: "shortcuts", label: t.showKeyboardShortcuts, icon: Keyboard, aside: "?", isKey: true, run: showAll },
    { id: "sign-out", label: t.signOut, icon: LogOut, run: () => void signOut() },
  ];
  return actions.filter((action) => action !== false);
}
