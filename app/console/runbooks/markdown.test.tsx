import { readdirSync, readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RUNBOOKS } from "#domain/runbook.ts";
import { Markdown } from "./markdown.tsx";

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

test("headings, paragraphs over several lines, and links: to runbooks and other sites, not to files", () => {
  const links = `[five](${RUNBOOKS[0]}.md#part) [six](../other.md) [seven](https://x.example) [eight](javascript:alert)`;
  expect(html(`# A *b*\n\nOne\n\`two **x**\` **three \`four\`**.\n${links} 3 * 4 * 5 <b>\n`)).toBe(
    `<h1>A <em>b</em></h1><p>One\n<code translate="no">two **x**</code> <strong>three <code translate="no">four</code></strong>.\n` +
      `<a href="/console/runbooks/${RUNBOOKS[0]}">five</a> six <a href="https://x.example">seven</a> eight 3 * 4 * 5 &lt;b&gt;</p>`,
  );
});

test("a list's items contain what is indented further: lines, lists and code", () => {
  expect(html("1. one\n   goes on\n   - inner\n2. two\n\n   ```sh\n   ls\n     -l\n   ```\n\n- other")).toBe(
    '<ol><li><p>one\ngoes on</p><ul><li><p>inner</p></li></ul></li><li><p>two</p><pre translate="no">ls\n  -l</pre></li></ol>' +
      "<ul><li><p>other</p></li></ul>",
  );
});

test("a table's cells may contain bars that are escaped", () => {
  expect(html("| A | B |\n|---|---|\n| `x` | a \\| b |")).toContain('<tr><td><code translate="no">x</code></td><td>a | b</td></tr>');
});

test("every runbook is read whole: no mark is left in its text, and each row of a table is as wide as its head", () => {
  const folder = new URL("../../../docs/runbooks/", import.meta.url);
  expect(readdirSync(folder)).toHaveLength(RUNBOOKS.length + 1);
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), "utf8");
    const markup = html(text);
    expect(markup, file).toMatch(/^<h1>/);
    const words = markup.replace(/<(pre|code)\b.*?<\/\1>/gs, "").replace(/<[^>]*>/g, "\n");
    expect(
      words.split("\n").filter((line) => /\*\*|`|\]\(|^#|^\|/.test(line)),
      file,
    ).toEqual([]);
    for (const table of text.match(/(?:^\|.*\n)+/gm) ?? [])
      expect(new Set(table.match(/^.*$/gm)?.flatMap((line) => line.match(/(?<!\\)\|/g)?.length ?? [])).size, file).toBe(1);
  }
});
