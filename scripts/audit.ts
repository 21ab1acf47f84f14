/**
 * `npm run audit` checks every rule about money and callbacks over the whole database and against the chains: one line for each rule, each
 * violation by name, exit code 1 when there is any. `-- --since 2026-11-01` only checks rows created since then.
 *
 * `-- --anchor` instead prints the present end of the audit log's chain, one line, to store where the database's owner cannot write.
 *
 * `-- --against FILE` also checks against what was kept elsewhere: a file of such lines, a daily attestation, or a folder of them.
 *
 * `-- --without-chains` omits what only the chains can prove: after a restore they are ahead of the database.
 *
 * It reads the sandbox that runs on `DATA_DIR`; with `MODE=live` the database in the environment of a web process.
 */
import { parseArgs } from "node:util";
import type { Database } from "#db/client.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import { auditAttestations } from "#server/services/attestations/audit-attestations.ts";
import { takeAnchor } from "#server/services/audit/take-anchor.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { auditLines, reportOf } from "#server/services/ledger/audit-report.ts";
import { instantOf, withBooks } from "./books.ts";
import { runCommand } from "./command.ts";
import { readKept, readPublicKey } from "./kept-evidence.ts";

const USAGE = `Proves every rule about money and callbacks over the whole database and against the chains. It changes nothing.

  --since 2026-11-01   only what was made since then
  --without-chains     the database alone: after a restore the chains are ahead of it
  --anchor             prints where the audit log ends now, to be kept elsewhere
  --against FILE       compares with what you kept: a file of such lines, a daily attestation, or a folder of them
  --former-key KEY     a public key that signed earlier attestations, in base64; as often as needed
  --help               this text

Exit code: 0 every rule holds, 1 one does not, 2 it could not be asked.
`;

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { since: text, anchor: flag, against: text, "without-chains": flag, help: flag } as const;
  const { values } = parseArgs({ options: { ...options, "former-key": { type: "string", multiple: true } } });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const since = values.since === undefined ? null : instantOf(values.since);
  const kept = values.against === undefined ? {} : readKept(values.against);
  const formerKeys = (values["former-key"] ?? []).map(readPublicKey);
  return await withBooks(async ({ database, evm, lapsing, auditKey }) => {
    if (values.anchor) return await printAnchor(database.db);
    const ctx = {
      db: database.db,
      auditKey,
      passkeys: createPasskeys({ baseUrl: "http://localhost", brand: "" }),
      ...(!values["without-chains"] && { evm, lapsing }),
    };
    const attested = kept.attestations && (await auditAttestations({ ...ctx, formerKeys }, kept.attestations));
    const audited = await auditDatabase(ctx, { since, anchors: [...(kept.anchors ?? []), ...(attested?.ends ?? [])] });
    const report = reportOf([...audited.rules, ...(attested?.outcomes ?? [])]);
    const notes = (attested?.notes ?? []).map((note) => `– ${note}`);
    process.stdout.write(`${[...notes, ...auditLines(report)].join("\n")}\n`);
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

await runCommand(main, { failed: 2 });
