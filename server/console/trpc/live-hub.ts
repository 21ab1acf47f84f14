import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { type Change, type ChangePosition, followChanges, startFollowing } from "#server/services/audit/follow-changes.ts";
import { listReviews } from "#server/services/settlements/claim-review.ts";

/**
 * One reader of the audit log for all open pages of a process, active while anybody listens. The log is written in the transaction of each
 * change, so everything in it has happened, and writers pay nothing for readers.
 */
const LOOK_EVERY_MS = 400;
const AFTER_TROUBLE_MS = 2_000;
/** Listeners also get an empty list every two seconds, to check their session and to send a heartbeat. */
const IDLE_LOOKS = 5;

/** A listener's queue, in changes and heartbeats. Beyond it the listener is dropped: it reconnects with its last position. */
const MOST_WAITING = 2_000;

type Listener = (changes: Change[]) => void;
export type LiveHub = { listen(until: AbortSignal): AsyncIterable<Change[]> };

const HUBS = new WeakMap<Uses<"db">["db"], LiveHub>();

/**
 * The hub of a process. It reads with the powers it is opened with, so these are the service's own and never one partner's
 * (`inTenant`): each listener then leaves out what does not concern it.
 */
export function liveHub(ctx: Uses<"db" | "log">): LiveHub {
  const open = HUBS.get(ctx.db);
  if (open !== undefined) return open;
  const hub = openHub(ctx);
  HUBS.set(ctx.db, hub);
  return hub;
}

function openHub(ctx: Uses<"db" | "log">): LiveHub {
  const listeners = new Set<Listener>();
  let running = false;
  const run = async () => {
    let position: ChangePosition | null = null;
    let looking: string | null = null;
    for (let looks = 0; listeners.size > 0; looks += 1) {
      try {
        if (position === null) position = await startFollowing(ctx);
        const found = await followChanges(ctx, position);
        position = found.position;
        const reviews = JSON.stringify(await listReviews(ctx));
        const changes = looking === null || looking === reviews ? found.changes : [reviewsChanged(), ...found.changes];
        looking = reviews;
        if (changes.length > 0 || looks % IDLE_LOOKS === 0) for (const publish of listeners) publish(changes);
        await pause(LOOK_EVERY_MS);
      } catch (error) {
        ctx.log.warn({ err: error }, "live updates are interrupted");
        await pause(AFTER_TROUBLE_MS);
      }
    }
    running = false;
  };
  return {
    listen(until) {
      const queue: Queue = { waiting: [], size: 0, overrun: false };
      let wake = () => {};
      const leave = () => {
        listeners.delete(listener);
        wake();
      };
      const listener: Listener = (changes) => {
        if (enqueue(queue, changes)) return wake();
        ctx.log.warn({ waiting: queue.size }, "a live stream fell behind and was closed");
        leave();
      };
      listeners.add(listener);
      until.addEventListener("abort", leave, { once: true });
      if (!running) {
        running = true;
        void run();
      }
      return drain(
        queue,
        until,
        (next) => {
          wake = next;
        },
        leave,
      );
    },
  };
}

type Queue = { waiting: Change[][]; size: number /** More came than may wait: nothing waits any more. */; overrun: boolean };

function enqueue(queue: Queue, changes: Change[]): boolean {
  queue.size += changes.length + 1;
  queue.overrun = queue.size > MOST_WAITING;
  if (queue.overrun) queue.waiting.length = 0;
  else queue.waiting.push(changes);
  return !queue.overrun;
}

/** Review claims are not in the log: a hint without a position, only for operators. */
function reviewsChanged(): Change {
  return { id: "", at: new Date(), partnerId: null, action: "review.changed", objectId: "" };
}

async function* drain(queue: Queue, until: AbortSignal, onWake: (next: () => void) => void, leave: () => void): AsyncGenerator<Change[]> {
  try {
    while (!until.aborted) {
      if (queue.overrun)
        throw new Refusal("temporarily_unavailable", { detail: "The connection fell too far behind the events. Connect again." });
      const next = queue.waiting.shift();
      if (next !== undefined) {
        queue.size -= next.length + 1;
        yield next;
      } else await new Promise<void>((resolve) => onWake(resolve));
    }
  } finally {
    leave();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
