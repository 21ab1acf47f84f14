import type { ReactNode } from "react";

/** A sentence from the service: a refusal, a reason to wait, a log text. It is English in every language of the page. */
export function Served({ children }: { children: ReactNode }) {
  return <span lang="en">{children}</span>;
}
