import type { ReactNode } from "react";
import { type DocsPath, PAGES } from "./pages.ts";
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

/** The frame of every documentation page: the list of pages next to it, on a phone above it. */
export function Shell({ current, title, lead, path = current, children }: Frame) {
  const { sandbox } = readSite();
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
          {children}
        </main>
        <footer className="docs-foot">
          <a href={`${path}.md`}>This page as Markdown</a>
          <a href="/llms.txt">llms.txt</a>
          <a href="/llms-full.txt">All pages in one text</a>
        </footer>
      </div>
    </>
  );
}

function PageList({ label, current }: { label: string; current: DocsPath }) {
  return (
    <nav aria-label={label}>
      <ul>
        {PAGES.map(({ path, title }) => (
          <li key={path}>
            <a href={path} aria-current={path === current ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
