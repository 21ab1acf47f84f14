export type RequestKind = "read" | "write" | "console" | "file" | "sign_in" | "visit";
/** Requests a second; 0: no limit. */
export type RateLimits = { writesPerSecond: number; readsPerSecond: number };

/** A bucket's state after a request; null where there is no limit. */
export type RateVerdict = {
  allowed: boolean;
  kind: RequestKind;
  perSecond: number;
  /** Requests that would be accepted right now. */
  remaining: number;
  /** Whole seconds until the bucket is full again. */
  resetSeconds: number;
  /** Whole seconds until as many requests would be let through. */
  retryAfterSeconds: number;
};
export type RateLimiter = {
  /** `requests`: how many at once, all or none of them; a full bucket accepts any number. */
  take(holder: string, kind: RequestKind, perSecond: number, requests?: number): RateVerdict | null;
};

type Bucket = { tokens: number; at: number };

/** A burst of twice the rate (contract, part 3). */
export const BURST = 2;
const SWEEP_EVERY = 10_000;

/**
 * Token buckets per holder (a key, a session, an address) and kind, in this process's memory: each web process grants the full rate, and
 * its headers describe its own bucket. Unused buckets are soon dropped, so that strangers' addresses do not pile up.
 */
export function createRateLimiter(nowMs: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, Bucket>();
  let takes = 0;
  return {
    take(holder, kind, perSecond, requests = 1) {
      if (perSecond <= 0) return null;
      const capacity = perSecond * BURST;
      const now = nowMs();
      takes += 1;
      if (takes % SWEEP_EVERY === 0) forgetIdle(buckets, now);
      const name = `${kind} ${holder}`;
      const bucket = buckets.get(name) ?? { tokens: capacity, at: now };
      const tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
      const wanted = Math.min(requests, capacity);
      const allowed = tokens >= wanted;
      const left = allowed ? tokens - wanted : tokens;
      buckets.set(name, { tokens: left, at: now });
      return {
        allowed,
        kind,
        perSecond,
        remaining: Math.floor(left),
        resetSeconds: Math.max(1, Math.ceil((capacity - left) / perSecond)),
        retryAfterSeconds: Math.max(1, Math.ceil((wanted - left) / perSecond)),
      };
    },
  };
}

/** A bucket fills up within {@link BURST} seconds: one that was unused for longer is equivalent to none. */
function forgetIdle(buckets: Map<string, Bucket>, now: number): void {
  for (const [name, bucket] of buckets) if (now - bucket.at > BURST * 1_000) buckets.delete(name);
}

/** `RateLimit` and `RateLimit-Policy` as contract part 9 writes them. */
export function rateHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    "RateLimit-Policy": `"${verdict.kind}";q=${verdict.perSecond};w=1`,
    RateLimit: `"${verdict.kind}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  };
}
