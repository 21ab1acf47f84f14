import { expect, test } from "vitest";
import { checkImportMap } from "./import-map.ts";
import { judge } from "./suites.ts";
import { breachesIn } from "./tidy.ts";

test("the import map refuses exactly the lawless imports", async () => {
  expect(await checkImportMap()).toBe("");
});

test("a suite that ran no test, skipped one, or ended badly has failed", () => {
  expect(judge("x", 0, 0, 0, 0)).toMatchObject({ failed: 1, remark: "no test ran" });
  expect(judge("x", 0, 5, 0, 2)).toMatchObject({ passed: 5, failed: 2 });
  expect(judge("x", 1, 5, 0, 0)).toMatchObject({ passed: 5, failed: 1 });
  expect(judge("x", 1, 5, 3, 0)).toMatchObject({ passed: 5, failed: 3 });
  expect(judge("x", 0, 5, 0, 0)).toEqual({ name: "x", passed: 5, failed: 0, remark: null });
});

test("the house rules find what no linter knows", () => {
  expect(breachesIn("server/a.test.ts", "test.skip('x', () => {});")).toHaveLength(1);
  expect(breachesIn("server/a.ts", "// TODO later")).toEqual(["server/a.ts:1: open an issue, or do it"]);
  expect(breachesIn("docs/a.md", "cd /home/somebody/clone")).toHaveLength(1);
  expect(breachesIn("server/utils/a.ts", "")).toHaveLength(1);
  expect(breachesIn("server/a.ts", "\n".repeat(251))).toHaveLength(1);
  expect(breachesIn("server/a.ts", 'export const path = "/api/home/x";')).toEqual([]);
});
