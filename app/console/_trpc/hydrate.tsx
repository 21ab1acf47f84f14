import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { serverQueries } from "./server.ts";

/** Hands what the server has read, or begun to read, to the browser. */
export function Hydrate({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(serverQueries())}>{children}</HydrationBoundary>;
}
