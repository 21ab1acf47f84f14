import { createContext, type ReactNode, useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { isPageCovered } from "#app/console/_components/dialogs/modals.ts";
import { useTranslations } from "../../_words/words.ts";
import { usePreferences } from "./preferences.tsx";
import { SHORTCUTS } from "./words.ts";

type Translations = typeof SHORTCUTS;

/** `g a` is g, then a; `Mod+k` is k with ⌘ or Ctrl, which always works, also in text fields and with single keys switched off. */
type Shortcut = { keys: string; does: string; run: () => void };
type Registry = { add: (shortcut: Shortcut) => () => void; showAll: () => void };

const ShortcutContext = createContext<Registry | null>(null);
const SECOND_KEY_WITHIN_MS = 1_000;

/**
 * Handles the shortcuts of the page. Single keys are ignored in text fields, while a dialog is open or loading, and for users who switched
 * them off.
 */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const t = useTranslations(SHORTCUTS);
  const { preferences } = usePreferences();
  // Not React state: the very next key press must already see it.
  const registered = useRef<readonly Shortcut[]>([]);
  const [listed, setListed] = useState<readonly Shortcut[]>([]);
  const [open, setOpen] = useState(false);
  const first = useRef<{ key: string; at: number } | null>(null);
  const add = useCallback((shortcut: Shortcut) => {
    registered.current = [...registered.current, shortcut];
    return () => {
      registered.current = registered.current.filter((each) => each !== shortcut);
    };
  }, []);
  const showAll = useCallback(() => {
    setListed(registered.current);
    setOpen(true);
  }, []);
  const registry = useMemo<Registry>(() => ({ add, showAll }), [add, showAll]);
  const enabled = preferences.shortcuts === "on";
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const all = registered.current;
      const chord = (event.ctrlKey || event.metaKey) && !event.altKey ? all.findLast(({ keys }) => keys === `Mod+${event.key}`) : null;
      if (chord) {
        event.preventDefault();
        return chord.run();
      }
      if (!enabled || isTaken(event)) return;
      if (event.key === "?") return showAll();
      const key = event.key === " " ? "Space" : event.key;
      const before = first.current && Date.now() - first.current.at < SECOND_KEY_WITHIN_MS ? `${first.current.key} ` : "";
      const found = all.findLast(({ keys }) => keys === before + key) ?? all.findLast(({ keys }) => keys === key);
      first.current = found ? null : { key, at: Date.now() };
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [enabled, showAll]);
  return (
    <ShortcutContext.Provider value={registry}>
      {children}
      <Dialog open={open} onOpenChange={setOpen} title={t.keyboardShortcuts} returnFocus={() => document.getElementById("main")}>
        {!enabled && <p>{t.singleKeysOff}</p>}
        <Listed shortcuts={enabled ? listed : listed.filter(({ keys }) => keys.startsWith("Mod+"))} />
      </Dialog>
    </ShortcutContext.Provider>
  );
}

/** Shortcuts that work on every page. */
const alwaysOf = (t: Translations) => [
  { keys: "?", does: t.show },
  { keys: "Mod+Enter", does: t.dialogConfirm },
];

function Listed({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  const t = useTranslations(SHORTCUTS);
  const all = [...new Map(shortcuts.map((each) => [each.keys, each])).values(), ...alwaysOf(t)];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={t.caption} tabIndex={0}>
      <dl className="shortcuts">
        {all.map(({ keys, does }) => (
          <div key={`${keys} ${does}`} className="shortcut">
            <dt>
              {keys.split(/[ +]/).map((key) => (
                <kbd key={key}>{t.keyNames[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Whether a key belongs to something else: a text field, a dialog, an open menu, a modifier, or a control that handles Enter. */
function isTaken({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (isPageCovered() || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return true;
  if ((key === "Enter" || key === " ") && target.closest("a, button, summary") !== null) return true;
  return target.isContentEditable || target.closest("input, textarea, select, [role=menu]:not([data-closed])") !== null;
}

export function useShortcuts(): Registry {
  const registry = useContext(ShortcutContext);
  if (registry === null) throw new Error("there is no ShortcutProvider around this");
  return registry;
}

/** Registers a shortcut while the component is mounted and `when` is true. */
export function useShortcut(keys: string, does: string, run: () => void, when = true): void {
  const { add } = useShortcuts();
  const held = useRef(run);
  held.current = run;
  useLayoutEffect(() => (when ? add({ keys, does, run: () => held.current() }) : undefined), [add, keys, does, when]);
}
