import { expect, test } from "vitest";
import { pathsAmiss, promisesAmiss, roomsAmiss } from "./documents.ts";
import { arrowsUp, type Row } from "./import-rows.ts";
import { judge } from "./suites.ts";
import { breachesIn, proseOf, refusedInProse, refusedWords, wordsIn } from "./tidy.ts";

test("an import that leads back up is found in the table, be it of a folder or of a single file", () => {
  const rows: Row[] = [
    ["domain", "", ""],
    ["db/* db/schema", "domain server/ports.ts", ""],
    ["server/ports.ts", "domain", ""],
    ["server/services", "domain db/client.ts server/engines/payments", ""],
    ["server/engines", "server/services db nowhere", ""],
  ];
  const found = ["db/* db/schema → server/ports.ts", "server/services → server/engines/payments", "server/engines → nowhere"];
  expect(arrowsUp(rows)).toEqual(found);
});

test("a folder that the list of rooms leaves out is found, and a path or link that leads nowhere", () => {
  const page = "## Rooms\n\n| Folder | For |\n|---|---|\n| `db` `db/schema` | `db/queries` |\n\n## More\n| `app` |";
  expect(roomsAmiss(page, ["db", "db/schema"])).toEqual([]);
  expect(roomsAmiss(page, ["db", "db/queries"])).toHaveLength(2);
  const isThere = (path: string) => ["db/client.ts", "docs/a.md"].includes(path);
  expect(pathsAmiss("docs/b.md", "See `db/client.ts` and [a](a.md), https://x.test/db/gone.ts", isThere)).toEqual([]);
  expect(pathsAmiss("docs/b.md", "See `db/gone/`,\nand [c](c.md)", isThere)).toEqual([
    "docs/b.md:1: there is no db/gone",
    "docs/b.md:2: there is no docs/c.md",
  ]);
  expect(pathsAmiss("db/a.ts", "// as in server/gone.ts\nconst at = 'app/x';", isThere)).toEqual(["db/a.ts:1: there is no server/gone.ts"]);
});

test("a test that a promise names and that does not exist is found, and a promise that nothing checks", () => {
  const tests: Record<string, string> = {
    "e2e/console/lists.spec.ts": 'test("rows never move", async () => {});\ntest(`no page is wide`, async () => {});',
    "db/walk.test.ts": 'describe("a walk", () => {\n  it("ends", () => {});',
  };
  const find = (page: string) => promisesAmiss(page, (file) => tests[file] ?? "");
  expect(find('| 1 | Rows stay | lists › "rows never", "no page"; `db/walk.test.ts` › "ends"; measured |')).toEqual([]);
  expect(find('| Rows | lists › "rows never", "gone"; dialogs › "rows never" |')).toEqual([
    'docs/console.md: there is no test lists › "gone"',
    'docs/console.md: there is no test dialogs › "rows never"',
  ]);
  expect(find('| Rows | `db/walk.test.ts` › "a walk", "begins" |')).toEqual([
    'docs/console.md: there is no test db/walk.test.ts › "a walk"',
    'docs/console.md: there is no test db/walk.test.ts › "begins"',
  ]);
  expect(find("| | Promise | Checked by |\n|---|---|---|\n| 7 | Rows stay | |\n| 8 | Rows stay | somebody looks |\n")).toHaveLength(2);
  expect(find("## Before and after\n\n| Overview | a picture |")).toEqual([]);
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
  expect(breachesIn("server/a.ts", "const all = { ...{ id, name }, at };")).toEqual([
    "server/a.ts:1: write the members plainly, one by one",
  ]);
  expect(breachesIn("docs/a.md", "cd /home/somebody/clone")).toHaveLength(1);
  expect(breachesIn("server/utils/a.ts", "")).toHaveLength(1);
  expect(breachesIn("server/a.ts", "\n".repeat(251))).toHaveLength(1);
  for (const selector of [".badge", "main .badge", "td.badge", "[role=status] > .line"])
    expect(breachesIn("e2e/a.spec.ts", `page.locator("${selector}")`), selector).toHaveLength(1);
  for (const selector of ["tbody tr", "a[href$='.csv']", "[data-veiled]:not(:has(*))"])
    expect(breachesIn("e2e/a.spec.ts", `page.locator("${selector}")`), selector).toEqual([]);
  expect(breachesIn("server/a.ts", 'export const path = "/api/home/x";')).toEqual([]);
});

test("a word that the glossary refuses is found in a sentence and in a name, and not in a wire name", () => {
  const refused = refusedWords("| permission | What a role may do. | **deed**, offer |");
  const lines = ["/** A deed of hers. */", "useDeed();", "const deeds = 1;", 'action: "made_deed"', "indeed", "an offer"];
  expect(wordsIn("app/a.ts", lines.join("\n"), refused).map((line) => line.split(":")[1])).toEqual(["1", "2", "3"]);
});

test("a stilted word is found in a document, a comment and a title, and not in a name", () => {
  const stilted = refusedInProse("next to, not _beside_; manually, not _by hand_; a wire name such as `a_deed` is none");
  const code = [
    "const beside = 1;",
    "// Beside it.",
    '  it("works by hand", beside);',
    "])(`is beside %s`, run);",
    " * By hand.",
    "x(); // by hand",
  ];
  const found = wordsIn("app/a.test.ts", proseOf("app/a.test.ts", code.join("\n")), stilted);
  expect(found.map((line) => line.split(":")[1])).toEqual(["2", "3", "4", "5", "6"]);
  const page = "It is beside.\nA parameter `beside` is code.";
  expect(wordsIn("docs/a.md", proseOf("docs/a.md", page), stilted)).toEqual([expect.stringContaining("docs/a.md:1:")]);
});
