import { describe, expect, it } from "vitest";
import { createRateLimiter, rateHeaders } from "./rate-limiter.ts";

describe("a token bucket", () => {
  it("lets a burst of twice the rate through, then the rate", () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const taken = (times: number) => Array.from({ length: times }, () => limiter.take("key", "write", 50)?.allowed).filter(Boolean).length;
    expect(taken(200)).toBe(100);
    now += 1_000;
    expect(taken(200)).toBe(50);
    now += 20;
    expect(taken(5)).toBe(1);
    now += 3_600_000;
    expect(taken(200)).toBe(100);
  });

  it("is each key's and each kind's own", () => {
    const limiter = createRateLimiter(() => 0);
    for (let count = 0; count < 2; count += 1) limiter.take("a", "write", 1);
    expect(limiter.take("a", "write", 1)?.allowed).toBe(false);
    expect(limiter.take("a", "read", 1)?.allowed).toBe(true);
    expect(limiter.take("b", "write", 1)?.allowed).toBe(true);
  });

  it("does not exist where the limit is 0", () => {
    const limiter = createRateLimiter();
    for (let count = 0; count < 1_000; count += 1) expect(limiter.take("a", "write", 0)).toBeNull();
  });

  it("says how many are left and when to come again", () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const first = limiter.take("a", "write", 50);
    expect(first && rateHeaders(first)).toEqual({ "RateLimit-Policy": '"write";q=50;w=1', RateLimit: '"write";r=99;t=1' });
    for (let count = 0; count < 99; count += 1) limiter.take("a", "write", 50);
    expect(limiter.take("a", "write", 50)).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 });
    now += 1_000;
    expect(limiter.take("a", "write", 50)).toMatchObject({ allowed: true, remaining: 49 });
  });

  it("that refuses costs nothing: refused requests do not push the next one away", () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    for (let count = 0; count < 1_000; count += 1) limiter.take("a", "read", 1);
    now += 1_000;
    expect(limiter.take("a", "read", 1)?.allowed).toBe(true);
  });
});
