import { describe, expect, it } from "vitest";
import { EVENT_TYPE_NAMES } from "./event.ts";
import { afterFailure, typesOfAll } from "./event-destination.ts";

describe("a destination that fails", () => {
  it("is tried after the delays of callbacks, once more a day after the first failure, and then paused", () => {
    const since = new Date("2026-11-28T00:00:00.000Z");
    const tries: string[] = [];
    let now = since;
    for (let failures = 1; ; failures += 1) {
      const next = afterFailure("webhook", failures, since, now);
      if (next === null) break;
      tries.push(String((next.getTime() - now.getTime()) / 1_000));
      now = next;
    }
    expect(tries).toEqual(["60", "300", "1800", "7200", "43200", "33840"]);
    expect(now.getTime() - since.getTime()).toBe(86_400_000);
  });

  it("is asked again within seconds where it is a broker", () => {
    const since = new Date("2026-11-28T00:00:00.000Z");
    const delays = [1, 2, 7, 8].map((failures) => Number(afterFailure("amqp", failures, since, since)) - since.getTime());
    expect(delays).toEqual([1_000, 2_000, 300_000, 300_000]);
  });
});

describe("the types of a destination", () => {
  it("are those that its patterns name, each once", () => {
    expect(typesOfAll(["batch.completed", "batch.*", "topup.failed"])).toEqual([
      ...new Set(["batch.completed", ...EVENT_TYPE_NAMES.filter((type) => type.startsWith("batch."))]),
      "topup.failed",
    ]);
  });

  it("are all of them where every kind is named", () => {
    expect(typesOfAll([...new Set(EVENT_TYPE_NAMES.map((type) => `${type.split(".")[0]}.*`))])).toBeNull();
  });
});
