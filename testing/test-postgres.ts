/**
 * `npm run test:postgres`: the tests of money (`server/services`, `server/engines`, `db`) on every version of PostgreSQL that is supported,
 * each started for it and thrown away. `-- --version 16`: on that one; `-- --version 15,machine`: on these, where `machine` is the PostgreSQL
 * that is installed. `-- PATH …` runs the tests with that in their path instead. Part of a release, not of `npm test`.
 */
import { parseArgs } from "node:util";
import postgres from "postgres";
import { type Outcome, runMoney } from "#scripts/suites.ts";
import { POSTGRES_VERSIONS, startPostgresVersion } from "./postgres-versions.ts";

const USAGE = `Usage: npm run test:postgres -- [--version ${POSTGRES_VERSIONS.join(",")}] [PATH …]\n`;

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { version: { type: "string" } } });
  const wanted = values.version?.split(",") ?? POSTGRES_VERSIONS;
  if (wanted.some((version) => !POSTGRES_VERSIONS.includes(version))) {
    process.stderr.write(USAGE);
    return 2;
  }
  const outcomes: Outcome[] = [];
  for (const version of wanted) outcomes.push(...(await runOn(version, positionals)));
  for (const { name, passed, failed, reds } of outcomes) {
    process.stdout.write(`  ${name}: ${passed} passed, ${failed} failed\n`);
    for (const red of reds ?? []) process.stdout.write(`    ✘ ${red}\n`);
  }
  return outcomes.every(({ failed, passed }) => failed === 0 && passed > 0) ? 0 : 1;
}

async function runOn(version: string, paths: readonly string[]): Promise<Outcome[]> {
  const server = await startPostgresVersion(version);
  try {
    return await runMoney(`PostgreSQL ${await readVersion(server.adminUrl)}`, server.adminUrl, paths);
  } finally {
    await server.stop();
  }
}

async function readVersion(url: string): Promise<string> {
  const sql = postgres(url, { max: 1 });
  try {
    const [row] = await sql<{ server_version: string }[]>`show server_version`;
    return row?.server_version ?? "of no known version";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

process.exitCode = await main();
