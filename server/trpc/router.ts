import type { inferRouterOutputs } from "@trpc/server";
import { router } from "./init.ts";
import { apiLogRouter } from "./routers/api-log.ts";
import { approvalsRouter } from "./routers/approvals.ts";
import { developersRouter } from "./routers/developers.ts";
import { liveRouter } from "./routers/live.ts";
import { overviewRouter } from "./routers/overview.ts";
import { sessionRouter } from "./routers/session.ts";
import { settlementsRouter } from "./routers/settlements.ts";

/** Everything that the console's pages may ask. */
export const appRouter = router({
  apiLog: apiLogRouter,
  developers: developersRouter,
  session: sessionRouter,
  live: liveRouter,
  overview: overviewRouter,
  settlements: settlementsRouter,
  approvals: approvalsRouter,
});
export type AppRouter = typeof appRouter;
/** What each procedure answers: `Answers["settlements"]["byId"]`. */
export type Answers = inferRouterOutputs<AppRouter>;
