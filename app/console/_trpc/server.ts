import type { QueryClient } from "@tanstack/react-query";
import { TRPCError } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { notFound } from "next/navigation";
import { cache } from "react";
import { appRouter } from "#server/console/router.ts";
import { inTime } from "./in-time.ts";
import { newQueryClient } from "./query-client.ts";
import { requestContext } from "./session.ts";

/** One a request. */
export const serverQueries = cache((): QueryClient => newQueryClient());

/**
 * The procedures for server components, called without HTTP but with every check:
 * `void serverQueries().prefetchQuery(trpc.settlements.list.queryOptions(…))`, then `<Hydrate>` around what shows it.
 */
export const trpc = createTRPCOptionsProxy({ ctx: requestContext, router: appRouter, queryClient: serverQueries });

/**
 * Waits for what a page is about. What is not there, or somebody else's, is the 404 page; any other trouble is left to the page, which
 * asks again in the browser and shows what went wrong.
 */
export async function orNotFound(reading: Promise<unknown>): Promise<void> {
  try {
    await inTime(reading);
  } catch (error) {
    if (error instanceof TRPCError && error.code === "NOT_FOUND") notFound();
  }
}
