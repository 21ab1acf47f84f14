"use client";

import { Children, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

/** The tab that the reader chose last. All groups of tabs on this and the next pages follow it. Stored for this browser tab only. */
const KEPT = "docs-language";
const CHOSEN = "docs-language-chosen";
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** One of several texts at a time: a panel each of `children`, in the order of `names`. */
export function Tabs({ label, names, children }: { label: string; names: readonly string[]; children: ReactNode }) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(names[0] ?? "");
  useEffect(() => {
    const follow = () => {
      const kept = sessionStorage.getItem(KEPT) ?? "";
      if (names.includes(kept)) setChosen(kept);
    };
    follow();
    window.addEventListener(CHOSEN, follow);
    return () => window.removeEventListener(CHOSEN, follow);
  }, [names]);
  const choose = (name: string) => {
    sessionStorage.setItem(KEPT, name);
    window.dispatchEvent(new Event(CHOSEN));
  };
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const place = (names.indexOf(chosen) + step + names.length) % names.length;
    choose(names[place] ?? "");
    row.current?.querySelectorAll("button")[place]?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} ref={row} onKeyDown={move}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-${name}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {Children.map(children, (child, place) => {
        const name = names[place];
        return (
          <div role="tabpanel" id={`${id}-${name}-panel`} aria-labelledby={`${id}-${name}`} hidden={name !== chosen}>
            {child}
          </div>
        );
      })}
    </div>
  );
}
