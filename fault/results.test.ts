import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readResults, tableOf } from "./results.ts";

const docs = (file: string) => new URL(`../docs/${file}`, import.meta.url);

test("the page's table is what the experiments have written, and nothing else", () => {
  const [, shown] = /<!-- fault -->\n([\s\S]*?)\n<!-- end -->/u.exec(readFileSync(docs("reliability.md"), "utf8")) ?? [];
  expect(shown).toBe(tableOf(readResults(docs("reliability.json"))));
});
