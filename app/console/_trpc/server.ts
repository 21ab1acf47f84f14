import type { QueryClient } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cache } from "react";
import { appRouter } from "#server/trpc/router.ts";
import { newQueryClient } from "./query-client.ts";
import { requestContext } from "./session.ts";

/** One a request. */
export const serverQueries = cache((): QueryClient => newQueryClient());

/**
 * The procedures for server components, called without HTTP but with every check:
 * `void serverQueries().prefetchQuery(trpc.settlements.list.queryOptions(…))`, then `<Hydrate>` around what shows it.
 */
export const trpc = createTRPCOptionsProxy({ ctx: requestContext, router: appRouter, queryClient: serverQueries });
