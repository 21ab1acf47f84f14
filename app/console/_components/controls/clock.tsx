import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useSyncExternalStore } from "react";

/**
 * Business time as reported by the server. The browser only counts on from the last report, so its own clock may be wrong. In the sandbox
 * the server's time can jump at any moment.
 */
type ClockStore = {
  /** The server's last report. */
  hear(now: string): void;
  now(): number;
  /** Updates a few times a second, and at once when the time was corrected. */
  subscribe(listener: () => void): () => void;
  initial: number;
};

/** The longest delay and the largest error of a clock shown in seconds. */
const LOOK_MS = 250;
const TOLERATED_MS = 250;

const ClockContext = createContext<ClockStore | null>(null);

export function ClockProvider({ now, children }: { now: string; children: ReactNode }) {
  const offset = useRef<number | null>(null);
  const initial = useRef(new Date(now).getTime()).current;
  const listeners = useRef(new Set<() => void>()).current;
  const timer = useRef<ReturnType<typeof setInterval> | null>(null);
  const store = useMemo<ClockStore>(
    () => ({
      initial,
      hear(text) {
        const heard = new Date(text).getTime() - Date.now();
        const moved = offset.current === null || Math.abs(heard - offset.current) > TOLERATED_MS;
        if (!moved) return;
        offset.current = heard;
        for (const listener of listeners) listener();
      },
      now() {
        offset.current ??= initial - Date.now();
        return Date.now() + offset.current;
      },
      subscribe(listener) {
        listeners.add(listener);
        timer.current ??= setInterval(() => {
          for (const each of listeners) each();
        }, LOOK_MS);
        return () => {
          listeners.delete(listener);
          if (listeners.size > 0 || timer.current === null) return;
          clearInterval(timer.current);
          timer.current = null;
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

/** Business time in milliseconds, rounded down to the displayed step: it changes once per step. */
export function useNow(stepMs: number): number {
  const store = useClockStore();
  const floor = useCallback((value: number) => Math.floor(value / stepMs) * stepMs, [stepMs]);
  return useSyncExternalStore(
    store.subscribe,
    () => floor(store.now()),
    () => floor(store.initial),
  );
}
