import type { AnyTRPCProcedure, AnyTRPCSubscriptionProcedure, inferProcedureOutput, inferRouterOutputs } from "@trpc/server";
import { accountRouter } from "./account.ts";
import { apiLogRouter } from "./api-log.ts";
import { approvalPolicyRouter } from "./approval-policy.ts";
import { approvalsRouter } from "./approvals.ts";
import { auditRouter } from "./audit.ts";
import { batchesRouter } from "./batches.ts";
import { bookingsRouter } from "./bookings.ts";
import { callbacksRouter } from "./callbacks.ts";
import { developersRouter } from "./developers.ts";
import { eventDestinationsRouter } from "./event-destinations.ts";
import { exposureRouter } from "./exposure.ts";
import { fiatRouter } from "./fiat.ts";
import { identityRouter } from "./identity.ts";
import { incidentsRouter } from "./incidents.ts";
import { liveRouter } from "./live.ts";
import { membersRouter } from "./members.ts";
import { notificationsRouter } from "./notifications.ts";
import { overviewRouter } from "./overview.ts";
import { partnersRouter } from "./partners.ts";
import { peopleRouter } from "./people.ts";
import { proposalsRouter } from "./proposals.ts";
import { ratesRouter } from "./rates.ts";
import { safesRouter } from "./safes.ts";
import { savedViewsRouter } from "./saved-views.ts";
import { sessionRouter } from "./session.ts";
import { settingsRouter } from "./settings.ts";
import { settlementsRouter } from "./settlements.ts";
import { statementsRouter } from "./statements.ts";
import { suspenseRouter } from "./suspense.ts";
import { treasuryRouter } from "./treasury.ts";
import { treasuryWithdrawalsRouter } from "./treasury-withdrawals.ts";
import { router } from "./trpc/init.ts";
import type { Unplain } from "./trpc/plain.ts";
import { workRouter } from "./work.ts";

/** Everything that the console's pages may ask. */
export const appRouter = router({
  apiLog: apiLogRouter,
  developers: developersRouter,
  eventDestinations: eventDestinationsRouter,
  session: sessionRouter,
  account: accountRouter,
  people: peopleRouter,
  identity: identityRouter,
  incidents: incidentsRouter,
  live: liveRouter,
  overview: overviewRouter,
  rates: ratesRouter,
  settings: settingsRouter,
  settlements: settlementsRouter,
  savedViews: savedViewsRouter,
  approvals: approvalsRouter,
  approvalPolicy: approvalPolicyRouter,
  batches: batchesRouter,
  bookings: bookingsRouter,
  callbacks: callbacksRouter,
  members: membersRouter,
  safes: safesRouter,
  fiat: fiatRouter,
  audit: auditRouter,
  partners: partnersRouter,
  treasury: treasuryRouter,
  treasuryWithdrawals: treasuryWithdrawalsRouter,
  statements: statementsRouter,
  suspense: suspenseRouter,
  exposure: exposureRouter,
  proposals: proposalsRouter,
  notifications: notificationsRouter,
  work: workRouter,
});
export type AppRouter = typeof appRouter;

/** Whether any procedure's answer has a value that JSON cannot represent. */
type Slips<Members> = {
  [Name in keyof Members]: Members[Name] extends AnyTRPCSubscriptionProcedure
    ? never
    : Members[Name] extends AnyTRPCProcedure
      ? Unplain<inferProcedureOutput<Members[Name]>>
      : Slips<Members[Name]>;
}[keyof Members];
type Plain<Output, _Slipped extends never> = Output;
/** What each procedure answers: `Answers["settlements"]["byId"]`. Does not compile with a date or base units in any of it. */
export type Answers = Plain<inferRouterOutputs<AppRouter>, Slips<AppRouter["_def"]["record"]>>;
