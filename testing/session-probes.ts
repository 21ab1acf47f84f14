import { setTimeout as sleep } from "node:timers/promises";
import { exchange, type Header } from "#sandbox/client/exchange.ts";

/** A request that only somebody who is signed in may send. */
export type Asked = { origin: string; target: string; header: Header };
/** Requests and live streams of somebody, one after the other, until they are over. */
export type Probes = {
  /** How many requests were accepted so far. */
  accepted(): number;
  /** Settles when a request to each has been refused and every stream has ended, or after so long. */
  untilRefused(limitMs: number): Promise<void>;
  /** From that moment until the last request was sent that was accepted, or the last stream ended. Infinite while one is open. */
  msSince(moment: number): { requests: number; streams: number };
  stop(): Promise<void>;
};

const EVERY_MS = 20;

/** Asks each again and again, and listens to each stream, from now on. */
export function openProbes(asked: readonly Asked[], streams: readonly Asked[]): Probes {
  const over = new AbortController();
  let accepted = 0;
  let lastAccepted = Number.NEGATIVE_INFINITY;
  const refused = new Set<Asked>();
  const ended = new Map<Asked, number>();
  const ask = async (each: Asked) => {
    for (; !over.signal.aborted; await sleep(EVERY_MS)) {
      const sentAt = performance.now();
      const { status } = await exchange(each.origin, { method: "GET", target: each.target, headers: [each.header] });
      if (status === 401) refused.add(each);
      else if (status !== 200) continue;
      else {
        accepted += 1;
        lastAccepted = Math.max(lastAccepted, sentAt);
        refused.delete(each);
      }
    }
  };
  const listen = async (each: Asked) => {
    const [name, value] = each.header;
    const { body } = await fetch(`${each.origin}${each.target}`, { headers: { [name]: value }, signal: over.signal });
    for (const reader = body?.getReader(); ; ) {
      const part = await reader?.read();
      if (part?.done !== false) break;
    }
    ended.set(each, performance.now());
  };
  const running = [...asked.map(ask), ...streams.map((each) => listen(each).catch(() => {}))];
  return {
    accepted: () => accepted,
    untilRefused: async (limitMs) => {
      const until = performance.now() + limitMs;
      while ((refused.size < asked.length || ended.size < streams.length) && performance.now() < until) await sleep(EVERY_MS);
    },
    msSince: (moment) => ({
      requests: refused.size < asked.length ? Number.POSITIVE_INFINITY : lastAccepted - moment,
      streams: ended.size < streams.length ? Number.POSITIVE_INFINITY : Math.max(...ended.values()) - moment,
    }),
    stop: async () => {
      over.abort();
      await Promise.all(running);
    },
  };
}
