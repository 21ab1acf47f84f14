"use client";

import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "#server/console/router.ts";

/** The procedures, typed, for components: `const trpc = useTRPC(); useQuery(trpc.settlements.list.queryOptions(…))`. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
