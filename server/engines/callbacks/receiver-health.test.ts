import { expect, test } from "vitest";
import { ReceiverHealth } from "./receiver-health.ts";

const MINUTE = 60_000;
const queue = (name: string) => `00000000-0000-4000-8000-000000000000 https://${name}.example`;

test("a receiver counts as failing where most of its recent attempts do, and as neither once they are long ago", () => {
  const health = new ReceiverHealth();
  for (const [name, ends] of [
    ["dead", "---"],
    ["well", "+++"],
    ["shaky", "+-+"],
    ["worse", "-+-"],
  ] as const)
    for (const end of ends) health.note(queue(name), end === "+", MINUTE);
  expect(health.figures(MINUTE)).toMatchObject({ answering: 2, failing: 2 });
  expect(health.figures(7 * MINUTE)).toMatchObject({ answering: 2, failing: 2 });
  expect(health.figures(30 * MINUTE)).toMatchObject({ answering: 0, failing: 0 });
});

test("a receiver is named from its third failure in a row on, with since when, until it answers well", () => {
  const health = new ReceiverHealth();
  for (const at of [0, MINUTE]) health.note(queue("dead"), false, at);
  expect(health.figures(2 * MINUTE).failingSeconds).toEqual([]);
  health.note(queue("dead"), false, 2 * MINUTE);
  expect(health.figures(40 * MINUTE).failingSeconds).toEqual([{ receiver: "https://dead.example", seconds: 2_400 }]);
  health.note(queue("dead"), true, 41 * MINUTE);
  expect(health.figures(42 * MINUTE).failingSeconds).toEqual([]);
  for (const at of [43, 44, 45]) health.note(queue("dead"), false, at * MINUTE);
  expect(health.figures(45 * MINUTE).failingSeconds).toEqual([{ receiver: "https://dead.example", seconds: 120 }]);
});

test("however many fail, few are named, the longest first, and those of yesterday are forgotten", () => {
  const health = new ReceiverHealth();
  for (let name = 0; name < 200; name += 1) for (let time = 0; time < 3; time += 1) health.note(queue(`r${name}`), false, name * 1_000);
  const { failingSeconds } = health.figures(10 * MINUTE);
  expect(failingSeconds).toHaveLength(50);
  expect(failingSeconds[0]).toEqual({ receiver: "https://r0.example", seconds: 600 });
  expect(health.figures(24 * 60 * MINUTE).failingSeconds).toEqual([]);
});
