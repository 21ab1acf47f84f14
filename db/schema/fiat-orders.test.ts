import { readFileSync } from "node:fs";
import { getTableConfig, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import { TOPUP_STEP_STATUS } from "#domain/topup.ts";
import { WITHDRAWAL_STEP_FACTS } from "#domain/withdrawal.ts";
import { topups, withdrawals } from "./fiat-orders.ts";

/** The `('status', 'step')` pairs that a check lists. */
function pairsIn(text: string): string[] {
  return [...text.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, status, step]) => `${status} ${step}`).sort();
}

const LIVES: [string, PgTable, Record<string, string>][] = [
  ["withdrawals", withdrawals, Object.fromEntries(Object.entries(WITHDRAWAL_STEP_FACTS).map(([step, { status }]) => [step, status]))],
  ["topups", topups, TOPUP_STEP_STATUS],
];

describe.each(LIVES)("the database's check on status and step of %s", (name, table, statuses) => {
  const legal = Object.entries(statuses)
    .map(([step, status]) => `${status} ${step}`)
    .sort();

  it("lists, in the schema, exactly the pairs of the lifecycle", () => {
    const check = getTableConfig(table).checks.find((each) => each.name === `${name}_legal_pair`);
    expect(check && pairsIn(new PgDialect().sqlToQuery(check.value).sql)).toEqual(legal);
  });

  it("lists, in the migration, exactly the pairs of the lifecycle", () => {
    const migration = readFileSync(new URL("../migrations/0000_init.sql", import.meta.url), "utf8");
    const [, text = ""] =
      new RegExp(`CONSTRAINT "${name}_legal_pair" CHECK ([\\s\\S]*?)\\),?\\n\\s*(?:CONSTRAINT|\\);)`).exec(migration) ?? [];
    expect(pairsIn(text)).toEqual(legal);
  });
});
