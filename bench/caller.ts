import type { Database } from "#db/client.ts";
import { systemClock } from "#server/adapters/clock.ts";
import { appRouter } from "#server/console/router.ts";
import type { Context } from "#server/context.ts";
import { NO_API_LOG } from "#server/services/access/log-api-requests.ts";
import { TEST_CHAIN, testChains } from "#testing/factories.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** The console's procedures as one of the operator's people, or of the first partner's, calls them; without HTTP and sessions. */
export function callerFor(db: Database, who: "operator" | "partner") {
  const powers = {
    mode: "sandbox",
    db,
    clock: systemClock,
    chains: testChains,
    log: SILENT,
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
    entryRules: { requireTotpForDeciders: false },
  };
  // The measured work uses no other powers.
  const services: Context = Object.assign(Object.create(null), powers);
  const isOperator = who === "operator";
  const holder = {
    sessionId: "00000000-0000-4000-8000-000000000000",
    sidHash: "none",
    userId: `10000000-0000-4000-8000-00000000000${isOperator ? 1 : 3}`,
    email: "person@example.com",
    name: "Person",
    role: isOperator ? ("approver" as const) : ("owner" as const),
    partnerId: isOperator ? null : "00000000-0000-4000-8000-000000000001",
    partnerName: isOperator ? null : "Partner 1",
    viewedBy: null,
    hasTotp: true,
    hasPasskey: false,
    steppedUpAt: null,
    lastSeenAt: new Date(),
    expiresAt: new Date(Date.now() + 3_600_000),
  };
  return appRouter.createCaller(
    Object.assign(Object.create(null), {
      services,
      settings: { mode: "sandbox", brand: "Bench", baseUrl: "http://localhost" },
      ending: new AbortController().signal,
      apiLog: NO_API_LOG,
      holder,
      readHolder: async () => holder,
      requestId: "req_bench",
    }),
  );
}
export type Caller = ReturnType<typeof callerFor>;
export const CHAIN = TEST_CHAIN.chain;
