import type { ReactNode } from "react";
import { Breadcrumb } from "./breadcrumb.tsx";

/** The page's heading, content next to it, and its actions. */
export function PageHeader({ title, children, actions, within }: PageHeaderProps) {
  return (
    <>
      {within && <Breadcrumb {...within} />}
      <header className="page-header">
        <div className="page-heading">
          <h1>{title}</h1>
          {children}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
    </>
  );
}

type PageHeaderProps = {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** The list that the page belongs to. */
  within?: { href: string; label: string };
};

/** A part of a page with its own heading. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="section" aria-label={title}>
      <header className="section-header">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Content wider than a phone scrolls separately, also by keyboard. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard
    <section className="sum-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** A notice; `warning` and `danger` have their colours. */
export function Note({ kind, children }: { kind?: "warning" | "danger"; children: ReactNode }) {
  return (
    <p className="note" data-kind={kind}>
      {children}
    </p>
  );
}

/** For screen readers only: announced as soon as it changes. */
export function Announcement({ children }: { children: ReactNode }) {
  return (
    <span className="sr-only" role="status">
      {children}
    </span>
  );
}
