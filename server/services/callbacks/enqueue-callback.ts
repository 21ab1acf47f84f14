import type { Database } from "#db/client.ts";
import { insertCallback } from "#db/queries/callbacks/callbacks.ts";
import { type CallbackEvent, laneOf } from "#domain/callback.ts";
import { newId } from "#domain/ids.ts";

export type EnqueueCallback = {
  partnerId: string;
  /** What it tells about: a settlement's `tx_…`. */
  subjectId: string;
  /** The key that created the subject: its secret signs the mirrored scheme. */
  apiKeyId: string;
  event: CallbackEvent;
  /** Was judged when it was given, and is judged again at every attempt. */
  url: string;
  /** The very text of every attempt. */
  body: string;
  /** Business time: the instant of the change. */
  now: Date;
};

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
