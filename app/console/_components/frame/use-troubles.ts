import { useSyncExternalStore } from "react";
import { parseTroubles, TROUBLES_PATH, type Trouble } from "#contract/trouble.ts";

/** In addition to what the service reports: the service does not answer, or the browser is offline. */
export type TroubleShown = Omit<Trouble, "part"> & { part: Trouble["part"] | "service" | "offline" };

const LOOK_EVERY_MS = 2_000;
/** The service answers within two seconds, whatever its database does. */
const PATIENCE_MS = 4_000;

/** Null: not asked yet. */
let known: readonly TroubleShown[] | null = null;
const listeners = new Set<() => void>();
let end: (() => void) | null = null;

const NONE: readonly TroubleShown[] = [];

/**
 * The current troubles, or those at render time until the first answer. Polled separately from other calls, so that it works when those
 * hang; once, however many components use it.
 */
export function useTroubles(first: readonly TroubleShown[] = NONE): readonly TroubleShown[] {
  return useSyncExternalStore(
    listen,
    () => known ?? first,
    () => first,
  );
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  end ??= keepLooking();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    end?.();
    end = null;
  };
}

function keepLooking(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  let heardAt = Date.now();
  const look = async () => {
    if (document.visibilityState === "visible") {
      const found = await ask();
      if (over) return;
      if (found !== null) heardAt = Date.now();
      publish(same(known, found ?? silent(heardAt)));
    }
    timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  const hurry = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), 0);
  };
  void look();
  const events = ["online", "offline"];
  for (const event of events) window.addEventListener(event, hurry);
  document.addEventListener("visibilitychange", hurry);
  return () => {
    over = true;
    clearTimeout(timer);
    for (const event of events) window.removeEventListener(event, hurry);
    document.removeEventListener("visibilitychange", hurry);
  };
}

function publish(troubles: readonly TroubleShown[]): void {
  if (troubles === known) return;
  known = troubles;
  for (const listener of listeners) listener();
}

/** The current troubles, from a separate request. */
export async function askTroubles(): Promise<readonly TroubleShown[]> {
  return (await ask()) ?? silent(Date.now());
}

/** Null: no answer. */
async function ask(): Promise<TroubleShown[] | null> {
  try {
    const response = await fetch(TROUBLES_PATH, { signal: AbortSignal.timeout(PATIENCE_MS), cache: "no-store" });
    // A user who is signed out or over the rate limit learns only that the service answers.
    if (response.status >= 400 && response.status < 500) return [];
    if (!response.ok) return null;
    return parseTroubles(await response.json()) ?? [];
  } catch {
    return null;
  }
}

function silent(heardAt: number): TroubleShown[] {
  const part = navigator.onLine ? "service" : "offline";
  return [{ part, name: part, detail: "", since: new Date(heardAt).toISOString(), runbook: navigator.onLine ? "web-down" : null }];
}

/** Equal troubles keep the same list object, to avoid rendering again. */
function same(before: readonly TroubleShown[] | null, now: readonly TroubleShown[]): readonly TroubleShown[] {
  const keyOf = (list: readonly TroubleShown[]) => list.map(({ name, detail, runbook }) => `${name} ${detail} ${runbook}`).join("\n");
  return before !== null && keyOf(before) === keyOf(now) ? before : now;
}
