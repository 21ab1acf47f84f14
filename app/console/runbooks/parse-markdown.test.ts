import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RUNBOOKS } from "#domain/runbook.ts";
import { type Block, type Inline, parseMarkdown } from "./parse-markdown.ts";

const text = (words: string): Inline => ({ kind: "text", text: words });
const code = (words: string): Inline => ({ kind: "code", text: words });
const paragraph = (...parts: Inline[]): Block => ({ kind: "paragraph", parts });

test("headings, paragraphs over several lines, and what stands within them", () => {
  expect(parseMarkdown("# A *b*\n\nOne\n`two **x**` **three `four`**.\n[five](six.md) 3 * 4 * 5\n")).toEqual([
    { kind: "heading", level: 1, parts: [text("A "), { kind: "emphasis", parts: [text("b")] }] },
    paragraph(
      text("One "),
      code("two **x**"),
      text(" "),
      { kind: "strong" as const, parts: [text("three "), code("four")] },
      text(". "),
      { kind: "link" as const, href: "six.md", parts: [text("five")] },
      text(" 3 * 4 * 5"),
    ),
  ]);
});

test("a list's items hold what is further in: lines, lists and code", () => {
  expect(parseMarkdown("1. one\n   goes on\n   - inner\n2. two\n\n   ```sh\n   ls\n     -l\n   ```\n- other")).toEqual([
    {
      kind: "list",
      ordered: true,
      items: [
        [paragraph(text("one goes on")), { kind: "list", ordered: false, items: [[paragraph(text("inner"))]] }],
        [paragraph(text("two")), { kind: "code", text: "ls\n  -l" }],
      ],
    },
    { kind: "list", ordered: false, items: [[paragraph(text("other"))]] },
  ]);
});

test("a table's cells may hold bars, escaped or in code", () => {
  expect(parseMarkdown("| A | B |\n|---|---|\n| `x | y` | a \\| b |")).toEqual([
    { kind: "table", head: [[text("A")], [text("B")]], rows: [[[code("x | y")], [text("a | b")]]] },
  ]);
});

test("every runbook is understood: no mark is left in what is read", () => {
  const folder = new URL("../../../docs/runbooks/", import.meta.url);
  expect(readdirSync(folder)).toHaveLength(RUNBOOKS.length + 1);
  const words = (parts: readonly Inline[]): string[] =>
    parts.flatMap((part) => ("parts" in part ? words(part.parts) : part.kind === "text" ? part.text : []));
  const read = (block: Block): string[] => {
    if (block.kind === "code") return [];
    if (block.kind === "list") return block.items.flat().flatMap(read);
    return block.kind === "table" ? [...block.head, ...block.rows.flat()].flatMap(words) : words(block.parts);
  };
  for (const file of readdirSync(folder)) {
    const blocks = parseMarkdown(readFileSync(new URL(file, folder), "utf8"));
    expect(blocks[0], file).toMatchObject({ kind: "heading", level: 1 });
    expect(
      blocks.flatMap(read).filter((each) => /\*\*|`|\]\(|^#|^\|/.test(each)),
      file,
    ).toEqual([]);
    // A table's rows are as wide as its head.
    for (const block of blocks)
      if (block.kind === "table") expect(new Set(block.rows.map((row) => row.length)), file).toEqual(new Set([block.head.length]));
  }
});
