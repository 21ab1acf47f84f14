/**
 * `npm run audit` proves every rule about money and callbacks over the whole database and against the chains: one line for each rule,
 * each violation by name, exit code 1 when there is any. `-- --since 2026-11-01` looks only at what was made since then.
 *
 * `-- --anchor` prints instead where the audit log's chain ends now, one line, to be kept where the database's owner cannot write;
 * `-- --against FILE` holds the chain against a file of such lines.
 *
 * It looks at the sandbox that runs on `DATA_DIR`; with `MODE=live` at what the environment of a web process names.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Database } from "#db/client.ts";
import { type ChainEnd, readChainEnd } from "#domain/audit-key.ts";
import { takeAnchor } from "#server/services/audit/take-anchor.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { auditLines } from "#server/services/ledger/audit-report.ts";
import { instantOf, withBooks } from "./books.ts";
import { runCommand } from "./command.ts";

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { since: { type: "string" }, anchor: { type: "boolean" }, against: { type: "string" } } });
  const since = values.since === undefined ? null : instantOf(values.since);
  const anchors = values.against === undefined ? [] : readAnchors(values.against);
  return await withBooks(async ({ database, evm, auditKey }) => {
    if (values.anchor) return await tellAnchor(database.db);
    const report = await auditDatabase({ db: database.db, evm, auditKey }, { since, anchors });
    process.stdout.write(`${auditLines(report).join("\n")}\n`);
    return report.violations === 0 ? 0 : 1;
  });
}

/** A chain that does not hold is no witness: its flaws are told instead. */
async function tellAnchor(db: Database): Promise<number> {
  const { anchor, flaws } = await takeAnchor({ db });
  for (const { seq, flaw } of flaws) process.stderr.write(`#${seq ?? "-"}: ${flaw}\n`);
  if (flaws.length > 0 || anchor === null) return 1;
  process.stdout.write(`${anchor.seq}:${anchor.hash} ${anchor.sealedAt.toISOString()}\n`);
  return 0;
}

/** The first word of each line. */
function readAnchors(file: string): ChainEnd[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const [word = ""] = line.trim().split(/\s+/);
    const end = readChainEnd(word);
    if (word !== "" && end === null) throw new Error(`${file}, line ${index + 1}: it is no anchor as --anchor prints it.`);
    return end === null ? [] : [end];
  });
}

await runCommand(main, { failed: 2 });
