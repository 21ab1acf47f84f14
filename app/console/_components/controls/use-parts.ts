import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Work of a page that goes in parts, each a call with its own time limit: how far it is, and its end by the user. `walk` asks for part after
 * part until `next` finds no more. It answers null if somebody ended it; what was on its way then has no effect.
 */
export function useParts() {
  const [reached, setReached] = useState<{ done: number; of: number } | null>(null);
  const turn = useRef(0);
  const cancel = useCallback(() => {
    turn.current += 1;
    setReached(null);
  }, []);
  useEffect(() => cancel, [cancel]);
  const walk = useCallback(async <Part>({ ask, reach }: Walk<Part>): Promise<Part[] | null> => {
    turn.current += 1;
    const mine = turn.current;
    const parts: Part[] = [];
    try {
      for (let more = true; more; ) {
        const part = await ask(parts.at(-1) ?? null).catch((refused: unknown) => {
          if (turn.current === mine) throw refused;
          return null;
        });
        if (part === null || turn.current !== mine) return null;
        parts.push(part);
        const { more: isMore, ...now } = reach(parts);
        more = isMore;
        if (more) setReached(now);
      }
      return parts;
    } finally {
      if (turn.current === mine) setReached(null);
    }
  }, []);
  return { reached, walk, cancel };
}

type Walk<Part> = {
  /** The part after this one; null: the first one. */
  ask: (last: Part | null) => Promise<Part>;
  reach: (parts: readonly Part[]) => { done: number; of: number; more: boolean };
};
