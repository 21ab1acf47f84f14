import { expect, it } from "vitest";
import { Rejected, Unreachable } from "./port-errors.ts";

it("recognises an error of another copy of its module, as Next's bundle throws and catches them", async () => {
  const place = "./port-errors.ts?copy";
  const copy: typeof import("./port-errors.ts") = await import(/* @vite-ignore */ place);
  expect(copy.Rejected).not.toBe(Rejected);
  const [rejected, unreachable] = [new copy.Rejected("no"), new copy.Unreachable("away")];
  expect([rejected instanceof Rejected, unreachable instanceof Unreachable]).toEqual([true, true]);
  expect([rejected instanceof Unreachable, unreachable instanceof Rejected, new Error("x") instanceof Rejected]).toEqual([
    false,
    false,
    false,
  ]);
  class Twice extends Unreachable {}
  expect([new Twice() instanceof Unreachable, new Twice() instanceof Twice, unreachable instanceof Twice]).toEqual([true, true, false]);
});
