import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedYear } from "#bench/year-seed.ts";
import type { Database } from "#db/client.ts";
import { findSealBefore } from "#db/queries/audit/audit-seals.ts";
import { batchRules } from "#db/queries/audit/rules/batches.ts";
import { callbackRules } from "#db/queries/audit/rules/callbacks.ts";
import { eventRules } from "#db/queries/audit/rules/events.ts";
import { exposureRules } from "#db/queries/audit/rules/exposure.ts";
import { ledgerRules } from "#db/queries/audit/rules/ledger.ts";
import { orderRules } from "#db/queries/audit/rules/orders.ts";
import { requestRules } from "#db/queries/audit/rules/requests.ts";
import { askRule } from "#db/queries/audit/rules/rule.ts";
import { settlementRules } from "#db/queries/audit/rules/settlements.ts";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import { firstId } from "#domain/ids.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/**
 * The audit reads slice by slice. If a rule read a whole table for each slice, the time of an audit would grow with the square of the history.
 * So PostgreSQL counts the rows that each rule reads for eight days of a year, with joins by index only, as in a large database. Not counted:
 * withdrawals, packs and superseded transactions, of which the seed has none.
 */

const SETTLEMENTS = 3_000;
const DAY_MS = 86_400_000;
const slice = { from: new Date(Date.now() - 10 * DAY_MS), to: new Date(Date.now() - 2 * DAY_MS) };
const RULES = [batchRules, callbackRules, eventRules, exposureRules, ledgerRules, orderRules, requestRules, settlementRules, transferRules]
  .flatMap((rules) => rules(slice, "whole"))
  .filter(({ isWhole }) => !isWhole);
/** A fiftieth of them is in the slice, with seven postings at most. */
const MOST = SETTLEMENTS / 3;
/** A large table does not fit into memory as a hash. */
const AS_IF_LARGE = { enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off", work_mem: "64kB", hash_mem_multiplier: "1" };

type Node = {
  "Actual Rows": number;
  "Actual Loops": number;
  "Relation Name"?: string;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
};

let database: TestDatabase;
let driver: postgres.Sql;
let db: Database;
/** Rows that were read of each table since it was cleared, by the scan that read most. */
const read = new Map<string, number>();
const explained: Promise<void>[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  driver = postgres(database.url, { max: 1, connection: AS_IF_LARGE, onnotice: () => {} });
  await seedYear({ owner: driver, db: database.db }, SETTLEMENTS);
  const { unsafe } = driver;
  const explain = async (...[text, values]: Parameters<typeof unsafe>) => {
    const [row] = await unsafe<{ "QUERY PLAN": { Plan: Node }[] }[]>(`explain (analyze, format json) ${text}`, values);
    for (const { Plan } of row?.["QUERY PLAN"] ?? []) note(Plan);
  };
  const explaining = (...asked: Parameters<typeof unsafe>) => {
    explained.push(explain(...asked));
    return unsafe(...asked);
  };
  db = drizzle(Object.assign(driver, { unsafe: explaining }), { casing: "snake_case" });
});
afterAll(async () => {
  await driver.end();
  await database.close();
});

function note(node: Node): void {
  const { "Relation Name": table, Plans = [] } = node;
  const seen = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  if (table !== undefined) read.set(table, Math.max(read.get(table) ?? 0, seen * node["Actual Loops"]));
  for (const below of Plans) note(below);
}

/** The tables of which this work reads more rows than the slice can need. */
async function readWhole(work: (db: Database) => Promise<unknown>): Promise<string[]> {
  read.clear();
  await work(db);
  await Promise.all(explained.splice(0));
  expect(read.size).toBeGreaterThan(0);
  return [...read].filter(([, rows]) => rows > MOST).map(([table, rows]) => `${rows} rows of ${table}`);
}

describe("a slice of the audit reads its own rows by", () => {
  it.each(RULES.map((rule) => [rule.name, rule] as const))("%s", async (_name, rule) => {
    expect(await readWhole((on) => askRule(on, rule))).toEqual([]);
  });

  it("the seal that its part of the chain begins after", async () => {
    expect(await readWhole((on) => findSealBefore(on, firstId("audit", slice.from)))).toEqual([]);
  });
});

it("sees a rule that reads a whole table", async () => {
  const [first] = RULES;
  if (first === undefined) throw new Error("there is no rule");
  expect(
    await readWhole((on) => askRule(on, { ...first, checked: sql`select count(*) from transfers t where t.amount_base > 0` })),
  ).not.toEqual([]);
});
