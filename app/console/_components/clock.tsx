"use client";

import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useSyncExternalStore } from "react";

/**
 * Business time as the server tells it. The browser's clock only counts on from what was heard last, so a wrong one does no harm; in
 * the sandbox the server's may be moved at any moment.
 */
type ClockStore = {
  /** What the server said, just now. */
  hear(now: string): void;
  now(): number;
  subscribe(everyMs: number, tell: () => void): () => void;
  initial: number;
};

const ClockContext = createContext<ClockStore | null>(null);

export function ClockProvider({ now, children }: { now: string; children: ReactNode }) {
  const offset = useRef<number | null>(null);
  const initial = useRef(new Date(now).getTime()).current;
  const listeners = useRef(new Set<() => void>()).current;
  const store = useMemo<ClockStore>(
    () => ({
      initial,
      hear(text) {
        const heard = new Date(text).getTime() - Date.now();
        const moved = offset.current === null || Math.abs(heard - offset.current) > 750;
        if (!moved) return;
        offset.current = heard;
        for (const tell of listeners) tell();
      },
      now() {
        offset.current ??= initial - Date.now();
        return Date.now() + offset.current;
      },
      subscribe(everyMs, tell) {
        listeners.add(tell);
        const timer = setInterval(tell, everyMs);
        return () => {
          listeners.delete(tell);
          clearInterval(timer);
        };
      },
    }),
    [initial, listeners],
  );
  return <ClockContext.Provider value={store}>{children}</ClockContext.Provider>;
}

export function useClockStore(): ClockStore {
  const store = useContext(ClockContext);
  if (store === null) throw new Error("there is no ClockProvider around this");
  return store;
}

/** Business time in milliseconds, rounded down to the step in which it is shown: it changes once a step. */
export function useNow(stepMs: number): number {
  const store = useClockStore();
  const subscribe = useCallback((tell: () => void) => store.subscribe(Math.min(stepMs, 1_000), tell), [store, stepMs]);
  const floor = useCallback((value: number) => Math.floor(value / stepMs) * stepMs, [stepMs]);
  return useSyncExternalStore(
    subscribe,
    () => floor(store.now()),
    () => floor(store.initial),
  );
}
