import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { headingsOf, sectionsOf } from "./sections.ts";
import { type Tree, treeOf } from "./tree.ts";
import { writeMarkdown } from "./write.ts";

/** Components as on pages: an asynchronous one, and a nested one. */
async function Late({ children }: { children: ReactNode }) {
  await Promise.resolve();
  return <strong>{children}</strong>;
}
function Row({ cells }: { cells: readonly string[] }) {
  return (
    <tr>
      {cells.map((cell) => (
        <td key={cell}>{cell}</td>
      ))}
    </tr>
  );
}
/** The bundler's replacement of a client component. */
const InTheBrowser = Object.assign((_: { children?: ReactNode }): ReactNode => null, { $$typeof: Symbol.for("react.client.reference") });

const PAGE = (
  <main>
    <h1>
      A <code>title</code>
    </h1>
    <p>
      Some text, <Late>late</Late>, with <a href="/docs/errors">all errors</a> and <a href="#here">one to here</a>.
    </p>
    <section>
      <h2 id="list">
        <a href="#list">A list</a>
      </h2>
      <ol>
        <li>one</li>
        <li>
          two
          <ul>
            <li>inner</li>
          </ul>
        </li>
      </ol>
      <figure>
        <figcaption>Code</figcaption>
        <button type="button">Copy</button>
        <pre>
          <code data-language="sh">{"a | b\n  `c`\n"}</code>
        </pre>
      </figure>
    </section>
    <table>
      <caption>Left out</caption>
      <thead>
        <tr>
          <th>Name</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        <Row cells={["a|b", "c"]} />
        <tr id="here">
          <td>here</td>
          <td>d</td>
        </tr>
      </tbody>
    </table>
    <InTheBrowser>
      <p>Inside of tabs.</p>
    </InTheBrowser>
    {[null, false, 0]}
  </main>
);

async function mainOf(page: ReactNode): Promise<Tree[]> {
  return await treeOf(page);
}

test("a page becomes Markdown: headings, lists, code unchanged, tables, links, and the content of tabs", async () => {
  expect(writeMarkdown(await mainOf(PAGE), (href) => (href.startsWith("#") ? href : `https://x.example${href}`))).toBe(`# A \`title\`

Some text, **late**, with [all errors](https://x.example/docs/errors) and [one to here](#here).

<a id="list"></a>

## A list

1. one
2. two

   - inner

**Code**

\`\`\`sh
a | b
  \`c\`
\`\`\`

| Name | Meaning |
| --- | --- |
| a\\|b | c |
| <a id="here"></a>here | d |

Inside of tabs.

0
`);
});

test("the search looks into the parts of a page by their headings", async () => {
  const sections = sectionsOf(await mainOf(PAGE));
  expect(sections.map(({ id, heading }) => [id, heading])).toEqual([
    [null, "A title"],
    ["list", "A list"],
  ]);
  expect(sections[0]?.text).toBe("Some text, late, with all errors and one to here.");
  expect(sections[1]?.text).toContain("one two inner");
  expect(sections[1]?.text).not.toContain("Copy");
});

test("a page's own headings are those of the second level that can be linked to", async () => {
  expect(headingsOf(await mainOf(PAGE))).toEqual([{ id: "list", heading: "A list" }]);
  const others = await treeOf(
    <section>
      <h2>Without an id</h2>
      <h2 id="two">
        Second <code>two</code>
      </h2>
    </section>,
  );
  expect(headingsOf(others)).toEqual([{ id: "two", heading: "Second two" }]);
});
