/**
 * `npm run advise` (`settlement-service advise`) reads what PostgreSQL has counted, and says what makes the database larger or slower than it need
 * be: bloat, vacuum, unused indexes, slow statements, replication lag, settings. It changes nothing. `--database URL`: of the owner, past a
 * pooler; default: MIGRATION_DATABASE_URL, or DATABASE_URL. `--json` prints the findings for a program. It exits with 0 or, if there is advice, with 1.
 */
import { parseArgs } from "node:util";
import { openDatabase } from "#db/client.ts";
import { readAdviceFacts } from "#db/queries/maintenance/advice-facts.ts";
import { explainDatabase } from "#db/trouble.ts";
import { adviseDatabase } from "#domain/advice.ts";
import { exitCodeOf } from "#domain/examination.ts";
import { runCommand, sentenceOf } from "./command.ts";
import { lineOf } from "./finding-line.ts";

/** Sizes of many tables take a while. */
const STATEMENT_TIMEOUT_MS = 120_000;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { database: { type: "string" }, json: { type: "boolean" } } });
  const url = values.database ?? (process.env.MIGRATION_DATABASE_URL || process.env.DATABASE_URL);
  if (!url) throw new Error("Name the database: --database postgres://…, or MIGRATION_DATABASE_URL.");
  const { db, close } = openDatabase({
    url,
    applicationName: "settlement-advise",
    maxConnections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    const findings = adviseDatabase(await readAdviceFacts(db));
    process.stdout.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(lineOf).join(""));
    return exitCodeOf(findings);
  } finally {
    await close();
  }
}

await runCommand(main, { failed: 2, explain: (error) => explainDatabase(error, "--database") ?? sentenceOf(error) });
