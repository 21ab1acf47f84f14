/**
 * `npm test`: everything, one after the other. `npm test -- PATH …`: only the tests with that in their path, stories by `e2e/…`.
 * The last lines say how long each part took, and over all suites how it went; the exit code says it as well.
 */
import { runChecks } from "./checks.ts";
import { type Outcome, runFaults, runPlaywright, runVitest } from "./suites.ts";

const durations: string[] = [];

async function phase(title: string, run: () => Promise<Outcome[]>): Promise<void> {
  process.stdout.write(`\n── ${title} ──\n`);
  const began = performance.now();
  outcomes.push(...(await run()));
  durations.push(`${title} ${Math.round((performance.now() - began) / 1_000)} s`);
}

const paths = process.argv.slice(2);
const stories = paths.filter((path) => path.startsWith("e2e/"));
const tests = paths.filter((path) => !path.startsWith("e2e/"));
const isWhole = paths.length === 0;
const outcomes: Outcome[] = [];
if (isWhole) await phase("Checks", async () => [await runChecks()]);
if (isWhole || tests.length > 0) await phase("Unit and service tests", () => runVitest(tests));
if (isWhole || stories.length > 0) await phase("API stories and browser stories", () => runPlaywright(stories));
if (isWhole) await phase("Faults", runFaults);

process.stdout.write("\n── Summary ──\n");
for (const { name, passed, failed, remark, reds } of outcomes) {
  process.stdout.write(`  ${name}: ${passed} passed, ${failed} failed${remark === null ? "" : ` (${remark})`}\n`);
  for (const red of reds ?? []) process.stdout.write(`    ✘ ${red}\n`);
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
process.stdout.write(`  ${durations.join(", ")}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
