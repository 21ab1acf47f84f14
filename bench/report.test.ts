import { expect, test } from "vitest";
import { table } from "./report.ts";

test("a bar within a cell ends no column, and columns stay aligned", () => {
  expect(
    table(
      ["Name", "Said"],
      [
        ["one", "a | b"],
        ["two", "c"],
      ],
    ).split("\n"),
  ).toEqual(["| Name |   Said |", "|------|-------:|", "| one  | a \\| b |", "| two  |      c |"]);
});
