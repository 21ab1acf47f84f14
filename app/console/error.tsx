"use client";

import { PageTrouble, type PageTroubleProps } from "./_components/frame/page-trouble.tsx";

/** For an error in the frame itself, or on a page without one. */
export default function ConsoleFailed(props: PageTroubleProps) {
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <PageTrouble {...props} />
    </main>
  );
}
