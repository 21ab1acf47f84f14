import type { Database } from "#db/client.ts";
import { insertCallbacks } from "#db/queries/callbacks/callbacks.ts";
import { type Callback, queueOf } from "#domain/callback.ts";
import { newId } from "#domain/ids.ts";

/** The URL was judged when it was given, and is judged again at every attempt. */
type OwedCallback = Pick<Callback, "partnerId" | "subjectId" | "apiKeyId" | "event" | "url" | "body"> & {
  /** The `traceparent` of its subject. */
  trace?: string | null;
};
/** `now`: business time, the instant of the change. */
export type EnqueueCallback = OwedCallback & { now: Date };

/**
 * Enqueues callbacks, due at once, in the transaction of the change that causes them (contract, part 4), and wakes the workers on commit.
 * Returns their ids. A second one for the same subject and event violates `callbacks_once_per_event`: that is a defect, and its change is
 * rolled back.
 */
export async function enqueueCallbacks(tx: Database, owed: readonly OwedCallback[], now: Date): Promise<string[]> {
  const callbacks = owed.map((callback) => ({
    ...callback,
    trace: callback.trace ?? null,
    id: newId("callback", now),
    queue: queueOf(callback.partnerId, callback.url),
  }));
  await insertCallbacks(tx, callbacks, now);
  return callbacks.map(({ id }) => id);
}

export async function enqueueCallback(tx: Database, { now, ...callback }: EnqueueCallback): Promise<string> {
  const [id] = await enqueueCallbacks(tx, [callback], now);
  return id ?? "";
}
