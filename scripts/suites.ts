import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { SANDBOX_FAMILIES } from "#server/config/sandbox-chains.ts";
import { COMPILED } from "#server/process/node-part.ts";
import { projectsOf, STORY_PROJECTS } from "./stories.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The result of a suite. A skipped test proves nothing: it counts as failed. `reds` names the failures, where a report does. */
export type Outcome = { name: string; passed: number; failed: number; remark: string | null; reds?: string[] };

/**
 * Runs a program of the project in its folder, and answers its exit code. What it prints is shown as it goes. Compiled code is kept for the
 * hundreds of processes that tests start: each saves a third of the CPU of its start.
 */
export function runShown(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
      stdio: "inherit",
    });
    const forward = () => child.kill("SIGTERM");
    process.once("SIGTERM", forward);
    child.once("close", (code) => {
      process.off("SIGTERM", forward);
      resolve(code ?? 1);
    });
  });
}

const Assertion = z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) });
const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(Assertion) })),
});

/** What vitest finds, the pure ones and the ones with a database: everything, or what has one of these in its path. */
export function runVitest(
  paths: readonly string[] = [],
  name = "Unit and service tests",
  env: Record<string, string> = {},
): Promise<Outcome[]> {
  return withReport(name, async (report) => {
    const cli = join("node_modules", "vitest", "vitest.mjs");
    const code = await runShown([cli, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...paths], env);
    const read = VitestReport.parse(JSON.parse(readFileSync(report, "utf8")));
    const reds = read.testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => nameRed(relative(ROOT, file.name), fullName, failureMessages[0])),
    );
    return [{ ...judge(name, code, read.numPassedTests, read.numFailedTests, read.numPendingTests + read.numTodoTests), reds }];
  });
}

const MONEY = ["server/services", "server/engines", "db/"];

/** The tests of money on another PostgreSQL: one whose role may create databases and roles. `paths`: these instead. */
export function runMoney(name: string, databaseUrl: string, paths: readonly string[]): Promise<Outcome[]> {
  return runVitest(paths.length === 0 ? MONEY : paths, name, { TEST_DATABASE_URL: databaseUrl });
}

const Status = z.enum(["expected", "unexpected", "flaky", "skipped"]);
type Status = z.infer<typeof Status>;
const Fault = z.object({ message: z.string().optional(), location: z.object({ line: z.number() }).optional() });
const Test = z.object({ status: Status, results: z.array(z.object({ errors: z.array(Fault) })) });
const Spec = z.object({ file: z.string(), title: z.string(), tests: z.array(Test) });
type Suite = { specs: z.infer<typeof Spec>[]; suites?: Suite[] | undefined };
const Suite: z.ZodType<Suite> = z.lazy(() => z.object({ specs: z.array(Spec), suites: z.array(Suite).optional() }));
/** `errors`: what went wrong outside of any test, as when the sandbox does not start. */
const PlaywrightReport = z.object({ suites: z.array(Suite), errors: z.array(Fault) });

/** Four at a time, each with its own sandbox, because some mostly wait. Five were no faster on two cores. */
const AT_A_TIME = 4;

/** The stories of all projects, or those with one of these in their path. */
export async function runPlaywright(paths: readonly string[] = []): Promise<Outcome[]> {
  const files = readdirSync(join(ROOT, "e2e"), { recursive: true, encoding: "utf8" }).map((file) => join(ROOT, "e2e", file));
  const wanted = paths.length === 0 ? STORY_PROJECTS : projectsOf(files.filter((file) => paths.some((path) => file.includes(path))));
  const left = wanted.map(({ name, title }, place) => ({ name, title, place }));
  const outcomes: Outcome[][] = [];
  const scope = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      outcomes[next.place] = await runProject(next.name, next.title, paths);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, scope));
  return outcomes.flat();
}

function runProject(project: string, name: string, paths: readonly string[]): Promise<Outcome[]> {
  return withReport(name, async (report) => {
    const cli = join("node_modules", "@playwright", "test", "cli.js");
    const output = join("test-results", project);
    const where = ["--config", join("e2e", "playwright.config.ts"), "--project", project, "--output", output];
    const code = await runShown([cli, "test", ...where, "--reporter=list,json", ...paths], { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    const { suites, errors } = PlaywrightReport.parse(JSON.parse(readFileSync(report, "utf8")));
    const specs = suites.flatMap(specsOf);
    const tests = specs.flatMap((spec) => spec.tests);
    const count = (...wanted: Status[]) => tests.filter(({ status }) => wanted.includes(status)).length;
    const reds = specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(isRed)
        .map(({ results }) => nameRed(file, title, translationsOf(results.find(({ errors }) => errors.length > 0)?.errors))),
    );
    reds.push(...errors.map(({ message }) => nameRed(project, "outside of its tests", message)));
    if (reds.length > 0) reds.push(...troublesIn(join(ROOT, output, "logs")));
    return [{ ...judge(name, code, count("expected"), count("unexpected", "flaky"), count("skipped")), reds }];
  });
}

const MOST_TROUBLES = 8;

/** In addition to the failures: the last 5xx of the sandbox's processes (`e2e/support/sandbox.ts` keeps their logs). */
function troublesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  const troubles = lines.filter((line) => /"level":"error"|"code":"(?:temporarily_unavailable|internal_error)"/.test(line));
  return troubles.slice(-MOST_TROUBLES).map((line) => `the sandbox: ${line.slice(0, 300)}`);
}

const FaultReport = z.array(z.object({ command: z.string(), violations: z.array(z.string()) }));

/** Experiments that are not part of every run: a failover waits for leases, and the others have a test or a story that covers as much. */
const OF_FAMILIES = ["kills", "lying-node", "restore", "crash-points"].flatMap((name) =>
  SANDBOX_FAMILIES.map((family) => `${name}-${family}`),
);
const SEPARATELY = ["crash-points", "failover", "failover-node", "failover-pooled", "signed-out", "tempo", ...OF_FAMILIES];
const SHORT = ["--short", "--seed", "1", "--at-a-time", "4", "--except", SEPARATELY.join(",")];

/** The short form of all other experiments, four at a time, because half of their time is waiting. */
export function runFaults(): Promise<Outcome[]> {
  const name = "Faults";
  return withReport(name, async (report) => {
    const code = await runShown([join("fault", "main.ts"), ...SHORT, "--json", report]);
    const results = FaultReport.parse(JSON.parse(readFileSync(report, "utf8")));
    const bad = results.filter(({ violations }) => violations.length > 0);
    const reds = bad.map(({ command, violations }) => `${command}: ${violations[0]?.slice(0, 200)}`);
    return [{ ...judge(name, code, results.length - bad.length, bad.length, 0), reds }];
  });
}

function specsOf(suite: Suite): z.infer<typeof Spec>[] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** What went wrong with the line where: that a story's time was over is followed by what it waited for. */
function translationsOf(faults: z.infer<typeof Fault>[] = []): string {
  return faults.map(({ message = "", location }) => `${location ? `(line ${location.line}) ` : ""}${message}`).join(" ");
}

/** One line for the summary: where, which, and how what went wrong begins. */
function nameRed(file: string, title: string, message = ""): string {
  const words = stripVTControlCharacters(message).replaceAll(/\s+/g, " ").trim();
  return `${file} › ${title}${words === "" ? "" : `: ${words.slice(0, 300)}`}`;
}

function isRed({ status }: { status: Status }): boolean {
  return status === "unexpected" || status === "flaky";
}

/** A suite of which no test ran, or that ended badly without a failed test, has failed. */
export function judge(name: string, code: number, passed: number, failed: number, skipped: number): Outcome {
  if (passed + failed + skipped === 0) return { name, passed: 0, failed: 1, remark: "no test ran" };
  if (skipped > 0) return { name, passed, failed: failed + skipped, remark: `${skipped} skipped, which counts as failed` };
  if (code !== 0 && failed === 0) return { name, passed, failed: 1, remark: `ended with exit code ${code} though no test failed` };
  return { name, passed, failed, remark: null };
}

async function withReport(name: string, work: (report: string) => Promise<Outcome[]>): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "settlement-report-"));
  try {
    return await work(join(folder, "report.json"));
  } catch (error) {
    return [{ name, passed: 0, failed: 1, remark: `ended without a report (${error instanceof Error ? error.message : error})` }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
