import { Clock, Eye, EyeOff, Keyboard, LogOut, type LucideIcon, Moon, Rows3, Sun, SunMoon } from "lucide-react";
import { signOut } from "../../_format/sign-in.ts";
import { usePreferences } from "./preferences.tsx";
import { useShortcuts } from "./shortcuts.tsx";

export type PaletteItem = { id: string; label: string; aside?: string; icon?: LucideIcon; run: () => void };

/** What may be switched from anywhere; what holds already is not offered. */
export function usePaletteActions(): PaletteItem[] {
  const { preferences, choose } = usePreferences();
  const { showAll } = useShortcuts();
  const { theme, density, amounts, zone } = preferences;
  const actions: (PaletteItem | false)[] = [
    theme !== "light" && { id: "light", label: "Use the light theme", icon: Sun, run: () => choose("theme", "light") },
    theme !== "dark" && { id: "dark", label: "Use the dark theme", icon: Moon, run: () => choose("theme", "dark") },
    theme !== "system" && { id: "system", label: "Use the system's theme", icon: SunMoon, run: () => choose("theme", "system") },
    density !== "compact" && { id: "compact", label: "Show compact rows", icon: Rows3, run: () => choose("density", "compact") },
    density !== "regular" && { id: "regular", label: "Show regular rows", icon: Rows3, run: () => choose("density", "regular") },
    density !== "roomy" && { id: "roomy", label: "Show roomy rows", icon: Rows3, run: () => choose("density", "roomy") },
    amounts === "shown"
      ? { id: "hide", label: "Hide amounts", icon: EyeOff, run: () => choose("amounts", "hidden") }
      : { id: "show", label: "Show amounts", icon: Eye, run: () => choose("amounts", "shown") },
    zone === "utc"
      ? { id: "local", label: "Show times in my zone", icon: Clock, run: () => choose("zone", "local") }
      : { id: "utc", label: "Show times in UTC", icon: Clock, run: () => choose("zone", "utc") },
    { id: "shortcuts", label: "Show keyboard shortcuts", icon: Keyboard, aside: "?", run: showAll },
    { id: "sign-out", label: "Sign out", icon: LogOut, run: () => void signOut() },
  ];
  return actions.filter((action) => action !== false);
}
