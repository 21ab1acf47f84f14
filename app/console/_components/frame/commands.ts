import { useEffect, useRef } from "react";

/** `about`: the name of what it acts on. `look`: that of its button. */
export type Command = { label: string; about: string; look?: string | undefined; run: () => void };

/** What the page offers for its current object, besides its buttons; the latest last. */
export const OFFERED = new Set<Command>();

/** Offers a command on the object `about` in the palette, while it is mounted and `when` is true. */
export function useCommand(label: string, about: string, run: () => void, when = true): void {
  const held = useRef(run);
  held.current = run;
  useEffect(() => {
    if (!when) return;
    const command = { label, about, run: () => held.current() };
    OFFERED.add(command);
    return () => void OFFERED.delete(command);
  }, [label, about, when]);
}
