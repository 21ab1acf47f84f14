/**
 * `npm run reconcile-provider -- statement.csv --from 2026-11-20 --to 2026-11-21` compares a fiat provider's own statement with its orders:
 * `--provider NAME`, or else FIAT_RAIL_NAME. Columns, in any order: `order_id` or `reference`, `status` (succeeded, failed, pending),
 * `amount` in units of `currency`, and `fee`, which is booked as the order's cost. With the period that it covers (business time, `--to` exclusive) it also reports missing orders. It
 * changes no order; a contradiction halts the provider. Exits with 1 when something contradicts, is missing or unknown. It uses the same
 * database as `npm run audit`.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { readProviderStatement } from "#domain/provider-statement.ts";
import { type ProviderReconciliation, reconcileProvider } from "#server/services/fiat/resolve-ambiguous.ts";
import { instantOf, withBooks } from "./books.ts";
import { runCommand } from "./command.ts";

const USAGE = "Usage: npm run reconcile-provider -- FILE [--provider NAME] [--from 2026-11-20 --to 2026-11-21]\n";

function linesOf(found: ProviderReconciliation, provider: string): string[] {
  const { matched, open, ambiguous, contradicting, unknown, missing, costs, halted } = found;
  return [
    `${matched.length} orders match, ${open.length} are still open.`,
    ...(costs.booked === 0 ? [] : [`The costs of ${costs.booked} orders are booked.`]),
    ...costs.differing.map((id) => `OTHER COST ${id}: another one is booked; reverse it in the console if it is wrong`),
    ...costs.unbooked.map((id) => `NOT BOOKED ${id}: the pool has promised what the provider took`),
    ...ambiguous.map(
      ({ order, rows }) =>
        `unclear    ${order.id}: the statement says ${rows.map(({ status }) => status).join(", ")}; settle it in the console`,
    ),
    ...contradicting.map(({ order, rows, why }) => `CONTRADICTS ${order.id} (line ${rows.map(({ line }) => line).join(", ")}): ${why}`),
    ...missing.map(
      ({ id, reference }) => `MISSING    ${id}: the provider said it was done${reference === null ? "" : ` under ${reference}`}`,
    ),
    ...unknown.map(({ line, orderId, reference }) => `UNKNOWN    line ${line}: ${orderId ?? reference} is no order with ${provider}`),
    ...(halted ? ["Orders with this provider are halted until an operator lifts the halt."] : []),
  ];
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { provider: { type: "string" }, from: { type: "string" }, to: { type: "string" } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  const { provider = process.env.FIAT_RAIL_NAME || FIRST_PROVIDER, from, to } = values;
  if (file === undefined || others.length > 0 || (from === undefined) !== (to === undefined)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const rows = readProviderStatement(readFileSync(file, "utf8"));
  const period = from === undefined || to === undefined ? null : { from: instantOf(from), to: instantOf(to) };
  return await withBooks(async ({ database }) => {
    const silent = () => {};
    const log = { info: silent, warn: silent, error: silent, child: () => log };
    const found = await reconcileProvider({ db: database.db, log }, { provider, rows, period });
    for (const line of linesOf(found, provider)) process.stdout.write(`${line}\n`);
    return found.contradicting.length +
      found.missing.length +
      found.unknown.length +
      found.costs.differing.length +
      found.costs.unbooked.length ===
      0
      ? 0
      : 1;
  });
}

await runCommand(main, { failed: 2 });
