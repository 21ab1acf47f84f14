/**
 * `npm run audit` checks every rule about money and callbacks over the whole database and against the chains: one line for each rule, each
 * violation by name, exit code 1 when there is any. `-- --since 2026-11-01` only checks rows created since then.
 *
 * `-- --anchor` instead prints the present end of the audit log's chain, one line, to store where the database's owner cannot write; `--
 * --against FILE` checks the chain against a file of such lines.
 *
 * `-- --without-chains` omits what only the chains can prove: after a restore they are ahead of the database.
 *
 * It reads the sandbox that runs on `DATA_DIR`; with `MODE=live` the database in the environment of a web process.
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

const USAGE = `Proves every rule about money and callbacks over the whole database and against the chains. It changes nothing.

  --since 2026-11-01   only what was made since then
  --without-chains     the database alone: after a restore the chains are ahead of it
  --anchor             prints where the audit log ends now, to be kept elsewhere
  --against FILE       holds the audit log against such lines
  --help               this text

Exit code: 0 every rule holds, 1 one does not, 2 it could not be asked.
`;

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values } = parseArgs({ options: { since: text, anchor: flag, against: text, "without-chains": flag, help: flag } });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const since = values.since === undefined ? null : instantOf(values.since);
  const anchors = values.against === undefined ? [] : readAnchors(values.against);
  return await withBooks(async ({ database, evm, auditKey }) => {
    if (values.anchor) return await printAnchor(database.db);
    const report = await auditDatabase({ db: database.db, auditKey, ...(!values["without-chains"] && { evm }) }, { since, anchors });
    process.stdout.write(`${auditLines(report).join("\n")}\n`);
    return report.violations === 0 ? 0 : 1;
  });
}

/** A flawed chain is no evidence: its flaws are printed instead. */
async function printAnchor(db: Database): Promise<number> {
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
