import type { inferRouterOutputs } from "@trpc/server";
import { router } from "./init.ts";
import { accountRouter } from "./routers/account.ts";
import { apiLogRouter } from "./routers/api-log.ts";
import { approvalsRouter } from "./routers/approvals.ts";
import { auditRouter } from "./routers/audit.ts";
import { callbacksRouter } from "./routers/callbacks.ts";
import { developersRouter } from "./routers/developers.ts";
import { fiatRouter } from "./routers/fiat.ts";
import { liveRouter } from "./routers/live.ts";
import { membersRouter } from "./routers/members.ts";
import { overviewRouter } from "./routers/overview.ts";
import { partnersRouter } from "./routers/partners.ts";
import { peopleRouter } from "./routers/people.ts";
import { proposalsRouter } from "./routers/proposals.ts";
import { ratesRouter } from "./routers/rates.ts";
import { safesRouter } from "./routers/safes.ts";
import { savedViewsRouter } from "./routers/saved-views.ts";
import { sessionRouter } from "./routers/session.ts";
import { settingsRouter } from "./routers/settings.ts";
import { settlementsRouter } from "./routers/settlements.ts";
import { treasuryRouter } from "./routers/treasury.ts";

/** Everything that the console's pages may ask. */
export const appRouter = router({
  apiLog: apiLogRouter,
  developers: developersRouter,
  session: sessionRouter,
  account: accountRouter,
  people: peopleRouter,
  live: liveRouter,
  overview: overviewRouter,
  rates: ratesRouter,
  settings: settingsRouter,
  settlements: settlementsRouter,
  savedViews: savedViewsRouter,
  approvals: approvalsRouter,
  callbacks: callbacksRouter,
  members: membersRouter,
  safes: safesRouter,
  fiat: fiatRouter,
  audit: auditRouter,
  partners: partnersRouter,
  treasury: treasuryRouter,
  proposals: proposalsRouter,
});
export type AppRouter = typeof appRouter;
/** What each procedure answers: `Answers["settlements"]["byId"]`. */
export type Answers = inferRouterOutputs<AppRouter>;
