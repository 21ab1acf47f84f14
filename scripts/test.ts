/**
 * `npm test`: everything, one after the other. `npm test -- PATH …`: only the tests with that in their path, stories by `e2e/…`.
 * The last line says over all suites how it went; the exit code says it as well.
 */
import { runChecks } from "./checks.ts";
import { type Outcome, runFaults, runPlaywright, runSpread, runVitest } from "./suites.ts";

function title(text: string): void {
  process.stdout.write(`\n── ${text} ──\n`);
}

const paths = process.argv.slice(2);
const stories = paths.filter((path) => path.startsWith("e2e/"));
const tests = paths.filter((path) => !path.startsWith("e2e/"));
const isWhole = paths.length === 0;
const outcomes: Outcome[] = [];
if (isWhole) {
  title("Checks");
  outcomes.push(await runChecks());
}
if (isWhole || tests.length > 0) {
  title("Unit and service tests");
  outcomes.push(...(await runVitest(tests)));
}
if (isWhole) {
  title("Money in tables by partner");
  outcomes.push(...(await runSpread()));
}
if (isWhole || stories.length > 0) {
  title("API stories and browser stories");
  outcomes.push(...(await runPlaywright(stories)));
}
if (isWhole) {
  title("Faults");
  outcomes.push(...(await runFaults()));
}

title("Summary");
for (const { name, passed, failed, remark, reds } of outcomes) {
  process.stdout.write(`  ${name}: ${passed} passed, ${failed} failed${remark === null ? "" : ` (${remark})`}\n`);
  for (const red of reds ?? []) process.stdout.write(`    ✘ ${red}\n`);
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
