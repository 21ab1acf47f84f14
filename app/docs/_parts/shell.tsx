import type { ReactNode } from "react";
import { type DocsPath, PAGES } from "./pages.ts";
import { readSite } from "./site.ts";

/** The frame of every documentation page: the list of pages beside (on a phone, above) the one that is read. */
export function Shell({ current, title, lead, children }: { current: DocsPath; title: ReactNode; lead?: ReactNode; children: ReactNode }) {
  const { sandbox } = readSite();
  return (
    <>
      {sandbox ? <div className="sandbox-strip" /> : null}
      <div className="docs">
        <header className="docs-bar">
          <a className="docs-home" href="/docs">
            Settlement service
          </a>
          {sandbox ? <span className="sandbox-mark">Sandbox</span> : null}
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
