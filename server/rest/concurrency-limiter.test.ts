import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";

const LIMIT_MS = 500;
const wanted = (key: string) => ({ key, check: () => {} });

/** Pieces of work of several keys, which end when the test says so. */
function stage(atOnce: number, limitMs = LIMIT_MS) {
  const limiter = createConcurrencyLimiter({ atOnce, limitMs });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (key: string, name = key) =>
    limiter
      .run(wanted(key), () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .then(
        () => "done",
        (error: { code?: string }) => error.code ?? "failed",
      );
  const endNext = async () => {
    ends.shift()?.();
    await sleep(1);
  };
  return { limiter, begun, ask, endNext };
}

it("runs so much at once, and the rest as places become free", async () => {
  const { limiter, begun, ask, endNext } = stage(2, 60_000);
  const asked = ["a", "b", "c", "d"].map((name) => ask("key", name));
  expect([begun, limiter.running, limiter.waiting]).toEqual([["a", "b"], 2, 2]);
  await endNext();
  expect([begun, limiter.running, limiter.waiting]).toEqual([["a", "b", "c"], 2, 1]);
  for (let left = 0; left < 3; left += 1) await endNext();
  expect(await Promise.all(asked)).toEqual(["done", "done", "done", "done"]);
  expect([limiter.running, limiter.waiting]).toEqual([0, 0]);
});

it("lets keys take turns, so that a greedy one does not starve a polite one", async () => {
  const { begun, ask, endNext } = stage(1, 60_000);
  const greedy = Array.from({ length: 4 }, (_, index) => ask("greedy", `greedy ${index}`));
  const polite = ask("polite");
  for (let each = 0; each < 5; each += 1) await endNext();
  await Promise.all([...greedy, polite]);
  expect(begun).toEqual(["greedy 0", "greedy 1", "polite", "greedy 2", "greedy 3"]);
});

it("refuses what waited too long, which has then not begun, and goes on with the rest", async () => {
  const { limiter, begun, ask, endNext } = stage(1);
  const first = ask("a", "first");
  const late = ask("a", "late");
  expect(await late).toBe("temporarily_unavailable");
  expect([begun, limiter.running, limiter.waiting]).toEqual([["first"], 1, 0]);
  await endNext();
  const next = ask("a", "next");
  await endNext();
  expect([await first, await next, begun]).toEqual(["done", "done", ["first", "next"]]);
});

it("lets work wait as long as nine of ten would still end in time, by what the last hundred took", async () => {
  let clock = 0;
  const limiter = createConcurrencyLimiter({ atOnce: 1, limitMs: 1_700 }, () => clock);
  const took = async (ms: number, times: number) => {
    for (let time = 0; time < times; time += 1)
      await limiter.run(wanted("a"), async () => {
        clock += ms;
      });
  };
  /** Whether what has waited so long still begins. */
  const beginsAfter = async (waitMs: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = limiter.run(wanted("a"), () => promise);
    const second = limiter.run(wanted("a"), async () => "began").catch(() => "refused");
    clock += waitMs;
    await sleep(60);
    resolve();
    await first;
    return await second;
  };
  expect(await beginsAfter(1_650)).toBe("began");
  await took(200, 94);
  // One in a hundred that is stuck says nothing about the others.
  await took(1_700, 1);
  expect([await beginsAfter(1_400), await beginsAfter(1_550)]).toEqual(["began", "refused"]);
  await took(5_000, 100);
  expect([await beginsAfter(450), await beginsAfter(550)]).toEqual(["began", "refused"]);
  await took(10, 100);
  expect(await beginsAfter(1_600)).toBe("began");
});

it("passes over work whose caller has left, and takes no time for it", async () => {
  const { limiter, begun, ask, endNext } = stage(1, 60_000);
  const first = ask("a", "first");
  const left = limiter.run(
    {
      key: "a",
      check: () => {
        throw new Error("the caller left");
      },
    },
    async () => void begun.push("left"),
  );
  const next = ask("a", "next");
  await Promise.all([expect(left).rejects.toThrow("the caller left"), endNext()]);
  expect([begun, limiter.running, limiter.waiting]).toEqual([["first", "next"], 1, 0]);
  await endNext();
  expect(await Promise.all([first, next])).toEqual(["done", "done"]);
});

it("refuses the newest of the longest line where a thousand wait", async () => {
  const { limiter, ask, endNext } = stage(1, 60_000);
  const greedy = Array.from({ length: 1_001 }, () => ask("greedy"));
  expect(limiter.waiting).toBe(1_000);
  const polite = ask("polite");
  expect(limiter.waiting).toBe(1_000);
  expect(await greedy.at(-1)).toBe("temporarily_unavailable");
  for (let each = 0; each < 3; each += 1) await endNext();
  expect(await polite).toBe("done");
});

it("has the place back after work that fails", async () => {
  const { limiter } = stage(1);
  await expect(limiter.run(wanted("a"), () => Promise.reject(new Error("it failed")))).rejects.toThrow("it failed");
  expect(await limiter.run(wanted("a"), async () => "next")).toBe("next");
});
