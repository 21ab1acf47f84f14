import { expect, it } from "vitest";
import { createEventBell } from "./event-bell.ts";

const silent = async () => {};

it("lets twenty of one partner's readers wait, and still those of others", async () => {
  const bell = createEventBell(silent);
  const waiting = Array.from({ length: 20 }, () => bell.wait("one", 200));
  expect(await bell.wait("one", 200)).toBe("refused");
  const another = bell.wait("another", 20);
  expect(await another).toBe("quiet");
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => "quiet"));
  expect(await bell.wait("one", 20)).toBe("quiet");
});

it("wakes the readers of the partners that are named", async () => {
  let ring = (_payload: string) => {};
  const bell = createEventBell(async (onPayload) => {
    ring = onPayload;
  });
  const [one, two] = [bell.wait("one", 5_000), bell.wait("two", 50)];
  ring("zero,one");
  expect(await Promise.all([one, two])).toEqual(["rung", "quiet"]);
});
