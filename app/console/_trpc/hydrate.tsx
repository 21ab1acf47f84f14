import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { inTime } from "./in-time.ts";
import { serverQueries } from "./server.ts";

/** Hands what the server has read, or begun to read, to the browser. What does not end there ends here, as an error with a retry. */
export function Hydrate({ children }: { children: ReactNode }) {
  const { queries, ...rest } = dehydrate(serverQueries());
  const ending = queries.map((query) => (query.promise ? { ...query, promise: inTime(query.promise) } : query));
  return <HydrationBoundary state={{ ...rest, queries: ending }}>{children}</HydrationBoundary>;
}
