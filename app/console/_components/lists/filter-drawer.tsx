"use client";

import { ListFilter, X } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";

type FilterDrawerProps<Params> = {
  title: string;
  /** What the button says that applies what was chosen. */
  show: string;
  /** How many filters hold. */
  count: number;
  params: Params;
  /** The change that takes every filter away. */
  none: Partial<Params>;
  onApply: (next: Partial<Params>) => void;
  /** The fields, of the draft as it stands. */
  children: (draft: Params, change: (next: Partial<Params>) => void) => ReactNode;
};

/**
 * All that a list can be narrowed by, out of the way until it is wanted. What is chosen is a draft until it is applied, all at once: one
 * step in the history and one request, however many fields were filled. Closing the drawer leaves the list as it was.
 */
export function FilterDrawer<Params extends object>(props: FilterDrawerProps<Params>) {
  const { title, show, count, params, none, onApply, children } = props;
  const [changes, setChanges] = useState<Partial<Params> | null>(null);
  const form = useId();
  const draft = { ...params, ...changes };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    setChanges(null);
    if (changes !== null && Object.keys(changes).length > 0) onApply(trimmed(changes));
  };
  return (
    <>
      <Button icon={ListFilter} onClick={() => setChanges({})}>
        {count === 0 ? "Filter" : `Filter (${count})`}
      </Button>
      <Dialog
        open={changes !== null}
        onOpenChange={(open) => !open && setChanges(null)}
        title={title}
        shape="drawer"
        actions={
          <>
            <Button onClick={() => setChanges(none)} disabled={holds(draft, none)}>
              Clear all
            </Button>
            <Button look="primary" type="submit" form={form}>
              {show}
            </Button>
          </>
        }
      >
        <form id={form} className="form" onSubmit={apply}>
          {children(draft, (next) => setChanges((before) => ({ ...before, ...next })))}
        </form>
      </Dialog>
    </>
  );
}

function holds<Params extends object>(draft: Params, part: Partial<Params>): boolean {
  return Object.entries(part).every(([name, value]) => draft[name as keyof Params] === value);
}

/** As typed, without the blanks around it; of nothing but blanks, no filter. */
function trimmed<Params extends object>(changes: Partial<Params>): Partial<Params> {
  const entries = Object.entries(changes).map(([name, value]) => [name, typeof value === "string" ? value.trim() || null : value]);
  return Object.fromEntries(entries) as Partial<Params>;
}

/** A filter that holds, in words, with what takes it away. */
export type HeldFilter = { text: string; remove: () => void };

export function FilterChips({ held, onClear }: { held: readonly HeldFilter[]; onClear: () => void }) {
  if (held.length === 0) return null;
  return (
    <ul className="chips active-filters" aria-label="Filters">
      {held.map(({ text, remove }) => (
        <li key={text}>
          <button type="button" className="chip" aria-label={`Remove the filter ${text}`} onClick={remove}>
            {text}
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
      <li>
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
      </li>
    </ul>
  );
}
