/**
 * `npm run fund-pool -- --currency KES --amount 100000000 --reference bank-2026-11-21` books a deposit into a fiat pool with the provider,
 * in minor units (below zero: a removal, `--amount=-5000`). A reference is booked once. A missing pool is created when `--minimum` and
 * `--maximum` of one withdrawal are given. It uses the same database as `npm run audit`.
 *
 * In live mode `--by EMAIL --reason TEXT` proposes it in that admin's name; another admin confirms it in the console.
 */
import { parseArgs } from "node:util";
import type { Database } from "#db/client.ts";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { fundPool, proposePoolFunding } from "#server/services/ledger/fund-pool.ts";
import { withBooks } from "./books.ts";
import { runCommand } from "./command.ts";
import { inNameOf } from "./wired.ts";

const text = { type: "string" } as const;
const OPTIONS = { currency: text, amount: text, reference: text, minimum: text, maximum: text, "low-water": text, by: text, reason: text };
type Values = { [Name in keyof typeof OPTIONS]?: string };

function wholeNumber(name: string, value: string | undefined): bigint {
  if (value === undefined || !/^-?\d{1,18}$/.test(value)) throw new Error(`--${name} wants a whole number of minor units.`);
  return BigInt(value);
}

/** What was paid in or taken out. */
function readFunding({ currency = "", reference = "", amount }: Values) {
  if (findFiatCurrency(currency) === null) throw new Error("--currency wants an ISO 4217 code in capitals.");
  if (reference === "") throw new Error("--reference wants a name for this payment: the same one is booked once.");
  return { currency, reference, amountMinor: wholeNumber("amount", amount) };
}

async function openPool(tx: Database, { currency = "", ...values }: Values, now: Date): Promise<void> {
  if (values.minimum !== undefined || values.maximum !== undefined) {
    const limits = { minimumMinor: wholeNumber("minimum", values.minimum), maximumMinor: wholeNumber("maximum", values.maximum) };
    await insertPool(tx, { currency, totalMinor: 0n, ...limits, lowWaterMinor: wholeNumber("low-water", values["low-water"] ?? "0") }, now);
  }
}

/** In live mode a second person confirms in the console what is proposed here. */
async function propose(db: Database, values: Values, funding: ReturnType<typeof readFunding>): Promise<boolean | null> {
  if (values.by === undefined || values.reason === undefined)
    throw new Error("In live mode --by EMAIL and --reason TEXT are needed: the admin in whose name it is proposed, and why.");
  const by = await inNameOf(db, values.by);
  const ctx = { db, mode: "live" as const, clock: { now: () => new Date() } };
  return await proposePoolFunding(ctx, { by, reason: values.reason, ...funding });
}

const OUTCOMES = new Map([
  [true, "Booked."],
  [false, "It was booked under this reference before: nothing changed."],
  [null, "Proposed. Another admin must confirm it in the console, under Proposals."],
]);

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  return await withBooks(async ({ database }) => {
    const funding = readFunding(values);
    const booked = await database.db.transaction(async (tx) => {
      const now = await readBusinessNow(tx);
      await openPool(tx, values, now);
      return process.env.MODE === "live" ? null : await fundPool(tx, { by: SYSTEM, ...funding, now });
    });
    const result = booked ?? (await propose(database.db, values, funding));
    process.stdout.write(`${OUTCOMES.get(result)}\n`);
    return 0;
  });
}

await runCommand(main, { failed: 2 });
