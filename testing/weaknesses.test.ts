import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("each weakness that was mended names tests that are there", () => {
  const rows = readFileSync("docs/weaknesses.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| What was possible"));
  expect(rows.length).toBeGreaterThanOrEqual(15);
  for (const row of rows) {
    const named = [...row.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`: "([^"]+)"/g)];
    expect([row, named.length > 0]).toEqual([row, true]);
    for (const [, file = "", title = ""] of named)
      expect([file, title, readFileSync(file, "utf8").includes(title)]).toEqual([file, title, true]);
  }
});
