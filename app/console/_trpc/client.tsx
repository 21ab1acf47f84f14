import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createTRPCContext, useSubscription } from "@trpc/tanstack-react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { AppRouter } from "#server/console/router.ts";
import { useClockStore } from "../_components/controls/clock.tsx";
import { refusalOf } from "./refusal.ts";
import { noticeSignedOut } from "./signed-out.ts";

/** The procedures, typed, for components: `const trpc = useTRPC(); useQuery(trpc.settlements.list.queryOptions(…))`. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** An event: `settlement.approved` of `tx_…`. A hint to refetch, not the data itself. */
export type LiveChange = { action: string; object_id: string; at: string };
type Listener = (changes: readonly LiveChange[]) => void;
type LiveState = "connecting" | "live" | "reconnecting" | "ended";
type Live = { state: LiveState; listen: (listener: Listener) => () => void };
/** Passed in place of changes after a gap: anything may have changed, so everything visible must be read again. */
const EVERYTHING: readonly LiveChange[] = [];

const LiveContext = createContext<Live | null>(null);
const TRY_AGAIN_MS = 2_000;
/** The stream sends the database's time every two seconds. After a longer silence, the page no longer counts as live. */
const SILENT_MS = 5_000;

/** One connection per page, to which everything with changing content listens. After a reconnect, missed changes follow. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const clock = useClockStore();
  const listeners = useRef(new Set<Listener>()).current;
  const wasLive = useRef(false);
  const { speaks, hear } = useSpeaks();
  const subscription = useSubscription(
    trpc.live.changes.subscriptionOptions(
      { lastEventId: null },
      {
        onData: ({ data }) => {
          clock.hear(data.now);
          hear();
          if (data.changes.length > 0) for (const listener of listeners) listener(data.changes);
        },
      },
    ),
  );
  const { status, error, reset } = subscription;
  useEffect(() => {
    if (status === "pending") {
      // Reads everything again that was missed during a gap or that no hint announces.
      if (wasLive.current) {
        void queries.invalidateQueries({ predicate: ({ meta }) => meta?.still !== true });
        for (const listener of listeners) listener(EVERYTHING);
      }
      wasLive.current = true;
    }
    if (status !== "error") return;
    // A stream that connected with the secret from before a step-up is refused too: a call decides whether the session has ended.
    if (refusalOf(error)?.code === "invalid_token")
      void queries.fetchQuery(trpc.session.me.queryOptions(undefined, { staleTime: 0 })).catch(() => {});
    else noticeSignedOut(error);
    const timer = setTimeout(reset, TRY_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [status, error, reset, queries, listeners, trpc]);
  const state: LiveState =
    status === "pending" && speaks
      ? "live"
      : refusalOf(error)?.code === "invalid_token"
        ? "ended"
        : wasLive.current || status === "error" || !speaks
          ? "reconnecting"
          : "connecting";
  const live = useMemo<Live>(
    () => ({
      state,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
    [state, listeners],
  );
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

/** Whether the stream sent anything within the last seconds; a new stream gets the same time. */
function useSpeaks(): { speaks: boolean; hear: () => void } {
  const [speaks, setSpeaks] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wait = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSpeaks(false), SILENT_MS);
  }, []);
  const hear = useCallback(() => {
    setSpeaks(true);
    wait();
  }, [wait]);
  useEffect(() => {
    wait();
    return () => clearTimeout(timer.current);
  }, [wait]);
  return { speaks, hear };
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error("there is no LiveProvider around this");
  return live;
}

/** Offline means not live, however long the stream takes to notice. */
export function useLiveState(): LiveState {
  const { state } = useLive();
  const online = useSyncExternalStore(
    onNetwork,
    () => navigator.onLine,
    () => true,
  );
  return online ? state : "reconnecting";
}

function onNetwork(listener: () => void): () => void {
  const events = ["online", "offline"];
  for (const event of events) window.addEventListener(event, listener);
  return () => {
    for (const event of events) window.removeEventListener(event, listener);
  };
}

/**
 * Calls `onChanges` for every batch of changes in which `concerns` finds something, and with an empty list after a lost connection returns,
 * because anything may have changed. Queries are then refetched, except those whose `meta` has `still: true`. Both arguments may be new functions
 * at each render.
 */
export function useLiveChanges(concerns: (change: LiveChange) => boolean, onChanges: (changes: readonly LiveChange[]) => void): void {
  const { listen } = useLive();
  const held = useRef({ concerns, onChanges });
  held.current = { concerns, onChanges };
  useEffect(
    () =>
      listen((changes) => {
        const own = changes.filter((change) => held.current.concerns(change));
        if (own.length > 0 || changes === EVERYTHING) held.current.onChanges(own);
      }),
    [listen],
  );
}

/** Refetches all queries with these keys. */
export function useRefresh(...keys: readonly QueryKey[]): () => void {
  const queries = useQueryClient();
  return () => {
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
  };
}
