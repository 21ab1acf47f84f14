"use client";

import { lazy, Suspense } from "react";
import type { PageTroubleProps } from "./_components/frame/page-trouble.tsx";

/** On demand: every page of the console would load it, besides the frame's own copy of its parts. If that fails, `global-error.tsx` shows. */
const PageTrouble = lazy(async () => ({ default: (await import("./_components/frame/page-trouble.tsx")).PageTrouble }));

/** For an error in the frame itself, or on a page without one. */
export default function ConsoleFailed(props: PageTroubleProps) {
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <Suspense fallback={null}>
        <PageTrouble {...props} />
      </Suspense>
    </main>
  );
}
