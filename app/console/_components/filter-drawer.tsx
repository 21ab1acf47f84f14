"use client";

import { ListFilter, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type FilterDrawerProps = { title: string; show: string; count: number; onClear: () => void; children: ReactNode };

/** All that a list can be narrowed by, out of the way until it is wanted. `show`: what the closing button says. */
export function FilterDrawer({ title, show, count, onClear, children }: FilterDrawerProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={ListFilter} onClick={() => setOpen(true)}>
        {count === 0 ? "Filter" : `Filter (${count})`}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={title}
        shape="drawer"
        actions={
          <>
            <Button onClick={onClear} disabled={count === 0}>
              Clear all
            </Button>
            <Button look="primary" onClick={() => setOpen(false)}>
              {show}
            </Button>
          </>
        }
      >
        <div className="form">{children}</div>
      </Dialog>
    </>
  );
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
