import type { Query } from "./sender.ts";
import { sleep } from "./transport.ts";

/** Which events to follow. */
export type Following = Omit<Query<"list_events">, "cursor">;

/** Where a reader of events is: kept where it survives a crash, best in the transaction that does what the events ask for. */
export type CursorStore = {
  /** null or undefined: it has none yet, and begins with the oldest events. */
  read(): Promise<string | null | undefined>;
  write(cursor: string): Promise<void>;
};

const BREATH_MS = 1_000;

type Page<Event> = { data: readonly Event[]; next_cursor: string };

/**
 * Event after event, for ever. The cursor is kept once all events of a page have been taken, so after a crash those of one page may come
 * again, under the same ids.
 */
export async function* followPages<Event>(
  ask: (cursor: string | undefined) => Promise<Page<Event>>,
  store: CursorStore,
): AsyncGenerator<Event, void> {
  let cursor = (await store.read()) ?? undefined;
  while (true) {
    const began = Date.now();
    const { data, next_cursor: next } = await ask(cursor);
    yield* data;
    if (next !== cursor) await store.write(next);
    cursor = next;
    // Too many wait there, or it is about to stop: it did not wait.
    if (data.length === 0 && Date.now() - began < BREATH_MS) await sleep(BREATH_MS);
  }
}
