"use client";

import { type DehydratedState, hydrate, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";

/**
 * Puts what the server has read into the browser's cache before the screen renders. TanStack's own boundary updates queries that the cache
 * already has only afterwards, when the screen has seen their old data and asked for it again.
 */
export function Hydrated({ state, children }: { state: DehydratedState; children?: ReactNode }) {
  const queries = useQueryClient();
  useMemo(() => hydrate(queries, state), [queries, state]);
  return children;
}
