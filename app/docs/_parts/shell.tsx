import type { ReactNode } from "react";
import { type Heading, headingsOf } from "../_markdown/sections.ts";
import { treeOf } from "../_markdown/tree.ts";
import { type DocsPath, PAGE_GROUPS, PAGES } from "./pages.ts";
import { Search } from "./search.tsx";
import { readSite } from "./site.ts";

type Frame = {
  current: DocsPath;
  title: ReactNode;
  lead?: ReactNode;
  /** For a page that is not in the list: its own path. */
  path?: string;
  children: ReactNode;
};

/** The frame of every documentation page: the list of pages, the page's own headings, and the pages before and after it. */
export async function Shell({ current, title, lead, path = current, children }: Frame) {
  const { sandbox } = readSite();
  const headings = headingsOf(await treeOf(children));
  return (
    <>
      <link rel="alternate" type="text/markdown" href={`${path}.md`} />
      {sandbox ? <div className="sandbox-strip" /> : null}
      <div className="docs">
        <header className="docs-bar">
          <a className="docs-home" href="/docs">
            Settlement service
          </a>
          {sandbox ? <span className="sandbox-mark">Sandbox</span> : null}
          <Search />
        </header>
        <details className="docs-menu">
          <summary>Pages</summary>
          <PageList label="Pages" current={current} />
        </details>
        <div className="docs-side">
          <PageList label="Documentation" current={current} />
        </div>
        <main id="main" tabIndex={-1} className="docs-main">
          <h1>{title}</h1>
          {lead ? <p className="lead">{lead}</p> : null}
          <nav className="docs-contents-inline" aria-label="On this page">
            {headings.length < FEWEST ? null : (
              <details>
                <summary>On this page</summary>
                <HeadingList headings={headings} />
              </details>
            )}
          </nav>
          {children}
          {path === current ? <Neighbours current={current} /> : null}
        </main>
        <aside className="docs-contents">
          {headings.length < FEWEST ? null : (
            <nav aria-label="On this page">
              <p className="docs-group">On this page</p>
              <HeadingList headings={headings} />
            </nav>
          )}
        </aside>
        <footer className="docs-foot">
          <a href={`${path}.md`}>This page as Markdown</a>
          <a href="/status">Service status</a>
          <a href="/llms.txt">llms.txt</a>
          <a href="/llms-full.txt">All pages in one text</a>
        </footer>
      </div>
    </>
  );
}

/** A page with fewer headings needs no list of them. */
const FEWEST = 2;

function PageList({ label, current }: { label: string; current: DocsPath }) {
  return (
    <nav aria-label={label}>
      {PAGE_GROUPS.map(({ group, pages }) => (
        <div key={group}>
          <p className="docs-group">{group}</p>
          <ul aria-label={group}>
            {pages.map(({ path, title }) => (
              <li key={path}>
                <a href={path} aria-current={path === current ? "page" : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function HeadingList({ headings }: { headings: readonly Heading[] }) {
  return (
    <ul>
      {headings.map(({ id, heading }) => (
        <li key={id}>
          <a href={`#${id}`}>{heading}</a>
        </li>
      ))}
    </ul>
  );
}

/** The pages before and after this one in reading order. */
function Neighbours({ current }: { current: DocsPath }) {
  const place = PAGES.findIndex(({ path }) => path === current);
  const before = PAGES[place - 1];
  const after = PAGES[place + 1];
  return (
    <nav className="docs-neighbours" aria-label="Previous and next page">
      {before ? (
        <a rel="prev" href={before.path}>
          <span>Previous</span>
          {before.title}
        </a>
      ) : null}
      {after ? (
        <a rel="next" href={after.path}>
          <span>Next</span>
          {after.title}
        </a>
      ) : null}
    </nav>
  );
}
