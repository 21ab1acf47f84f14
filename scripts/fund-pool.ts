/**
 * `npm run fund-pool -- --currency KES --amount 100000000 --reference bank-2026-11-21` books a deposit into a fiat pool with the provider,
 * in minor units (below zero: a removal, `--amount=-5000`). A reference is booked once. A missing pool is created when `--minimum` and
 * `--maximum` of one withdrawal are given. It uses the same database as `npm run audit`.
 */
import { parseArgs } from "node:util";
import type { Database } from "#db/client.ts";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { fundPool } from "#server/services/ledger/fund-pool.ts";
import { withBooks } from "./books.ts";
import { runCommand } from "./command.ts";

const text = { type: "string" } as const;
const OPTIONS = { currency: text, amount: text, reference: text, minimum: text, maximum: text, "low-water": text };
type Values = { [Name in keyof typeof OPTIONS]?: string };

function wholeNumber(name: string, value: string | undefined): bigint {
  if (value === undefined || !/^-?\d{1,18}$/.test(value)) throw new Error(`--${name} wants a whole number of minor units.`);
  return BigInt(value);
}

async function fund(tx: Database, values: Values): Promise<boolean> {
  const { currency = "", reference = "" } = values;
  if (findFiatCurrency(currency) === null) throw new Error("--currency wants an ISO 4217 code in capitals.");
  if (reference === "") throw new Error("--reference wants a name for this payment: the same one is booked once.");
  const now = await readBusinessNow(tx);
  if (values.minimum !== undefined || values.maximum !== undefined) {
    const limits = { minimumMinor: wholeNumber("minimum", values.minimum), maximumMinor: wholeNumber("maximum", values.maximum) };
    await insertPool(tx, { currency, totalMinor: 0n, ...limits, lowWaterMinor: wholeNumber("low-water", values["low-water"] ?? "0") }, now);
  }
  return await fundPool(tx, { by: SYSTEM, currency, amountMinor: wholeNumber("amount", values.amount), reference, now });
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  return await withBooks(async ({ database }) => {
    const booked = await database.db.transaction((tx) => fund(tx, values));
    process.stdout.write(booked ? "Booked.\n" : "It was booked under this reference before: nothing changed.\n");
    return 0;
  });
}

await runCommand(main, { failed: 2 });
