import type { ReactNode } from "react";
import type { Answer } from "../../_components/dialogs/use-answer.ts";
import { QueryBoundary } from "../../_components/lists/list-states.tsx";

type PartProps<Data> = { of: Answer<Data>; waiting: ReactNode; children: (data: Data) => ReactNode };

/** One part of the overview. It loads, fails and retries independently, and keeps its earlier content. */
export function Part<Data>(part: PartProps<Data>) {
  return <QueryBoundary {...part} compact />;
}
