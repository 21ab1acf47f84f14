/**
 * `npm run statement -- --partner demo --from 2026-11-01 --to 2026-12-01` writes a partner's statement as CSV. `--partner`: its slug or id;
 * `--from` is inclusive, `--to` exclusive, both in business time. It uses the same database as `npm run audit`.
 */
import { parseArgs } from "node:util";
import { listPartners } from "#db/queries/partners/partners.ts";
import { readStatement, renderStatement } from "#server/services/ledger/statement.ts";
import { instantOf, withBooks } from "./books.ts";
import { runCommand } from "./command.ts";

const USAGE = "Usage: npm run statement -- --partner <slug or id> --from 2026-11-01 --to 2026-12-01\n";

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { partner: { type: "string" }, from: { type: "string" }, to: { type: "string" } } });
  const { partner, from, to } = values;
  if (partner === undefined || from === undefined || to === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  return await withBooks(async ({ database }) => {
    const { items } = await listPartners(database.db, { skip: 0, limit: 10_000 });
    const partnerId = items.find(({ id, slug }) => id === partner || slug === partner)?.id;
    if (partnerId === undefined) throw new Error(`There is no partner ${partner}.`);
    const statement = await readStatement({ db: database.db }, { partnerId, from: instantOf(from), to: instantOf(to) });
    for (const line of renderStatement(statement)) process.stdout.write(line);
    return 0;
  });
}

await runCommand(main, { failed: 2 });
