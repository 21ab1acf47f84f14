"use client";

import { PageTrouble, type PageTroubleProps } from "./_components/frame/page-trouble.tsx";

/** The frame itself could not be made, or a page that has none. */
export default function ConsoleFailed(props: PageTroubleProps) {
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <PageTrouble {...props} />
    </main>
  );
}
