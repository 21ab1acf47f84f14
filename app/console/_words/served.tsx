import type { ReactNode } from "react";

/** A sentence that the service wrote: a refusal, why something waits, what a log says. It is English, in whatever language the page is. */
export function Served({ children }: { children: ReactNode }) {
  return <span lang="en">{children}</span>;
}
