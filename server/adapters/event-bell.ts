import type { EventBell } from "#domain/event.ts";

/** Receives notifications; `onListening` whenever it reconnects. */
type Listen = (onPayload: (payload: string) => void, onListening: () => void) => Promise<unknown>;

/** So many may wait at a time in a process: each is a connection of a client, and nothing else. */
const MOST = 400;
/** So many of one partner's: it must not take the places of all others. */
const MOST_OF_ONE = 20;

type Waiter = { partnerId: string; end: (how: "rung" | "quiet") => void };

/**
 * Lets readers wait for their partner's events: one listening connection for all of a process, opened when the first one waits. After a
 * lost connection, and when the process is about to end, all look again.
 */
export function createEventBell(listen: Listen, draining?: AbortSignal): EventBell {
  const waiters = new Set<Waiter>();
  let isListening = false;
  const ring = (isMeant: (waiter: Waiter) => boolean) => {
    for (const waiter of waiters) if (isMeant(waiter)) waiter.end("rung");
  };
  const onPayload = (payload: string) => {
    const partners = new Set(payload.split(","));
    ring(({ partnerId }) => partners.has(partnerId));
  };
  const begin = async () => {
    isListening = true;
    try {
      await listen(onPayload, () => ring(() => true));
    } catch {
      // The next one that waits tries again; until then all poll.
      isListening = false;
    }
  };
  draining?.addEventListener("abort", () => ring(() => true));
  return {
    wait(partnerId, ms) {
      const own = [...waiters].filter((waiter) => waiter.partnerId === partnerId).length;
      if (draining?.aborted || waiters.size >= MOST || own >= MOST_OF_ONE) return Promise.resolve("refused");
      if (!isListening) void begin();
      return new Promise((resolve) => {
        const waiter: Waiter = {
          partnerId,
          end: (how) => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(how);
          },
        };
        const timer = setTimeout(() => waiter.end("quiet"), ms);
        waiters.add(waiter);
      });
    },
  };
}
