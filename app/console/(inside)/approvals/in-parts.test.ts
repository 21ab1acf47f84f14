import { expect, it } from "vitest";
import { inParts } from "./in-parts.ts";

const ITEMS = Array.from({ length: 23 }, (_, index) => index);

it("sends each item once, in parts, and says how far it has come", async () => {
  const [sent, reached]: [number[][], number[]] = [[], []];
  const send = async (part: readonly number[]) => {
    sent.push([...part]);
    return part.map(String);
  };
  expect(await inParts(ITEMS, [], send, (done) => reached.push(done))).toEqual(ITEMS.map(String));
  expect(sent.map((part) => part.length)).toEqual([10, 10, 3]);
  expect(sent.flat()).toEqual(ITEMS);
  expect(reached).toEqual([0, 10, 20]);
});

it("goes on after a refusal where it was, and sends nothing again that was answered", async () => {
  const [sent, answers]: [number[], string[]] = [[], []];
  let refusals = 1;
  const send = async (part: readonly number[]) => {
    if (part[0] === 10 && refusals-- > 0) throw new Error("step up");
    sent.push(...part);
    return part.map(String);
  };
  const run = () => inParts(ITEMS, answers, send, () => {});
  await expect(run()).rejects.toThrow("step up");
  expect(sent).toHaveLength(10);
  expect(await run()).toHaveLength(23);
  expect(sent).toEqual(ITEMS);
});

it("sends no further part once it is cancelled, and keeps what was answered", async () => {
  const sent: number[] = [];
  const send = async (part: readonly number[]) => {
    sent.push(...part);
    return part.map(String);
  };
  expect(
    await inParts(
      ITEMS,
      [],
      send,
      () => {},
      () => sent.length >= 10,
    ),
  ).toEqual(ITEMS.slice(0, 10).map(String));
  expect(sent).toEqual(ITEMS.slice(0, 10));
});
