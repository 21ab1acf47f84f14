import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

export type Tab = { value: string; label: string; count?: number; content: ReactNode };

/** Arrow keys walk the tabs. `value` may come out of the URL; left out, the first is open at the beginning. */
export function Tabs({
  tabs,
  label,
  value,
  onChange,
}: {
  tabs: readonly Tab[];
  label: string;
  value?: string;
  onChange?: (value: string) => void;
}) {
  const controlled = value === undefined ? { defaultValue: tabs[0]?.value ?? null } : { value };
  return (
    <Base.Root {...controlled} onValueChange={(next) => onChange?.(String(next))} className="tabs">
      <Base.List className="tab-list" aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
            {tab.count !== undefined && <span className="tab-count">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="tab-panel">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
