/**
 * `npm run test:citus`: the service on real Citus. Three PostgreSQL servers with the extension, a coordinator and two workers, are started
 * on this machine for each kind of tests and thrown away. `-- PATH …` runs the tests with that in their path instead. It needs an installed
 * Citus: in the machine's PostgreSQL, or in the one that CITUS_POSTGRES names. Part of a release, not of `npm test`.
 */
import { type Outcome, runPlaywright, runVitest } from "#scripts/suites.ts";
import { citusPostgres } from "./citus/cluster.ts";

/** What passes on Citus as it is. */
const SUITES = [
  "testing/citus",
  "server/services/approval-policy",
  "server/services/attestations",
  "server/services/audit",
  "server/services/events",
  "server/services/exposure",
  "server/services/fiat",
  "server/services/halts",
  "server/services/holds",
  "server/services/notifications",
  "server/services/partners",
  "server/services/rates",
  "server/services/saved-views",
  "server/services/settlements",
  "server/services/transactions",
  "server/services/ledger/thousand-operations.test.ts",
  "server/services/ledger/read-statement.test.ts",
  "server/services/maintenance/keep-retention.test.ts",
  "server/services/callbacks/certify-receiver.test.ts",
  "server/services/callbacks/enqueue-callback.test.ts",
  "server/services/callbacks/resend-callback.test.ts",
  "server/services/callbacks/resend-job.test.ts",
  "server/services/callbacks/send-sample.test.ts",
  "server/services/callbacks/sign-attempt.test.ts",
  "server/engines/callbacks/extra-attempt.test.ts",
  "server/engines/callbacks/delivery-crash.test.ts",
  "server/engines/callbacks/delivery-room.test.ts",
  "server/rest/nonce-reservation.test.ts",
  "server/rest/batch-operations.test.ts",
  "server/rest/batch-decisions.test.ts",
  "server/console/batches.test.ts",
  "server/console/handle-export.test.ts",
  "server/console/handle.test.ts",
  "server/console/leave-view.test.ts",
  "server/console/live.test.ts",
  "server/console/own-sessions.test.ts",
  "server/console/refused-calls.test.ts",
  "server/console/rights.test.ts",
  "server/console/step-up-secret.test.ts",
];

const isStory = (path: string) => path.startsWith("e2e/");

async function main(): Promise<number> {
  try {
    citusPostgres();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
  const paths = process.argv.slice(2);
  const wanted = paths.length === 0 ? SUITES : paths;
  const [tests, stories] = [wanted.filter((path) => !isStory(path)), wanted.filter(isStory)];
  process.env.DATABASE_LAYOUT = "citus";
  const outcomes: Outcome[] = [];
  if (tests.length > 0) outcomes.push(...(await runVitest(tests, "On Citus")));
  if (stories.length > 0) outcomes.push(...(await runPlaywright(stories)));
  for (const { name, passed, failed, reds } of outcomes) {
    process.stdout.write(`  ${name}: ${passed} passed, ${failed} failed\n`);
    for (const red of reds ?? []) process.stdout.write(`    ✘ ${red}\n`);
  }
  return outcomes.every(({ failed, passed }) => failed === 0 && passed > 0) ? 0 : 1;
}

process.exitCode = await main();
