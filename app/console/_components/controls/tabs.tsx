import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

export type Tab = { value: string; label: string; count?: number; content: ReactNode };

type TabsProps = { tabs: readonly Tab[]; label: string; value?: string; onChange?: (value: string) => void };

/** Arrow keys move between tabs. `value` may come from the URL; by default the first one is open. */
export function Tabs({ tabs, label, value, onChange }: TabsProps) {
  const [own, setOwn] = useState(tabs[0]?.value);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const active = Math.max(
    0,
    tabs.findIndex((tab) => tab.value === (value ?? own)),
  );
  const open = tabs[active];
  const choose = (at: number) => {
    const next = tabs[at];
    if (next === undefined || at === active) return;
    setOwn(next.value);
    onChange?.(next.value);
  };
  const walk = (event: KeyboardEvent) => {
    const to = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ? undefined : stepOf(event.key, active, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
    choose(to);
  };
  return (
    <div className="tabs">
      <div ref={list} role="tablist" className="tab-list" aria-label={label} onKeyDown={walk}>
        {tabs.map((tab, at) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}tab-${tab.value}`}
            className="tab"
            aria-selected={at === active}
            aria-controls={at === active ? `${id}panel` : undefined}
            tabIndex={at === active ? 0 : -1}
            onClick={() => choose(at)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tab-count">{tab.count}</span>}
          </button>
        ))}
      </div>
      {open && (
        <div
          key={open.value}
          role="tabpanel"
          id={`${id}panel`}
          aria-labelledby={`${id}tab-${open.value}`}
          className="tab-panel"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without a control in it is read by the keyboard too
          tabIndex={0}
        >
          {open.content}
        </div>
      )}
    </div>
  );
}

function stepOf(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
