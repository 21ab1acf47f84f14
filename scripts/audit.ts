/**
 * `npm run audit` proves every rule about money and callbacks over the whole database and against the chains: one line for each rule,
 * each violation by name, exit code 1 when there is any. `-- --since 2026-11-01` looks only at what was made since then.
 *
 * It looks at the sandbox that runs on `DATA_DIR`; with `MODE=live` at what the environment of a web process names.
 */
import { parseArgs } from "node:util";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { auditLines } from "#server/services/ledger/audit-report.ts";
import { instantOf, withBooks } from "./books.ts";
import { runCommand } from "./command.ts";

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { since: { type: "string" } } });
  const since = values.since === undefined ? null : instantOf(values.since);
  return await withBooks(async ({ database, evm }) => {
    const report = await auditDatabase({ db: database.db, evm }, { since });
    process.stdout.write(`${auditLines(report).join("\n")}\n`);
    return report.violations === 0 ? 0 : 1;
  });
}

await runCommand(main, { failed: 2 });
