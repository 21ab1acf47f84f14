"use client";

import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { useSyncExternalStore } from "react";
import "./theme.css";

const nothing = () => () => {};

/** Replaces the page when even the root layout failed. It needs nothing of the service, and still looks like it. */
export default function EverythingFailed({ error: { digest }, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  const theme = useSyncExternalStore(nothing, themeKept, () => undefined);
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} data-theme={theme}>
      <body>
        <title>Cannot be shown</title>
        <main id="main" tabIndex={-1} className="plain-page">
          <h1>This page cannot be shown just now</h1>
          <p>Something went wrong while it was made. Nothing that was done is lost.</p>
          {digest !== undefined && (
            <p>
              Error <code>{digest}</code>
            </p>
          )}
          <p>
            <button type="button" onClick={retry}>
              Retry
            </button>
          </p>
        </main>
      </body>
    </html>
  );
}

function themeKept(): string | undefined {
  return /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
}
