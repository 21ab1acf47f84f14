import type { Database } from "#db/client.ts";
import { insertCallback } from "#db/queries/callbacks/callbacks.ts";
import { type Callback, laneOf } from "#domain/callback.ts";
import { newId } from "#domain/ids.ts";

/** The URL was judged when it was given, and is judged again at every attempt. `now`: business time, the instant of the change. */
export type EnqueueCallback = Pick<Callback, "partnerId" | "subjectId" | "apiKeyId" | "event" | "url" | "body"> & { now: Date };

/**
 * Owes a callback, due at once, in the transaction of the change that causes it (contract, part 4), and wakes the workers when
 * that commits. Answers its id. A second one for the same subject and event violates `callbacks_once_per_event`: a defect, and
 * the change that asks for it is rolled back.
 */
export async function enqueueCallback(tx: Database, callback: EnqueueCallback): Promise<string> {
  const id = newId("callback", callback.now);
  await insertCallback(tx, { ...callback, id, lane: laneOf(callback.partnerId, callback.url) });
  return id;
}
