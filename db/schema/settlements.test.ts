import { readFileSync } from "node:fs";
import { getTableConfig, PgDialect } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import { INITIAL_STATES, listSteps } from "#domain/lifecycle.ts";
import { settlements } from "./settlements.ts";

const NAME = "settlements_legal_pair";

/** The `('status', 'approval')` pairs that a check lists; no approval state is written `-` there. */
function pairsIn(text: string): string[] {
  return [...text.matchAll(/\('(\w+)', '([\w-]+)'\)/g)].map(([, status, approval]) => `${status} ${approval}`).sort();
}

describe("the database's check on status and approval state", () => {
  const reached = [...INITIAL_STATES, ...listSteps().map((step) => step.to)];
  const legal = [...new Set(reached.map(({ status, approvalState }) => `${status} ${approvalState ?? "-"}`))].sort();

  it("lists, in the schema, exactly the pairs that the lifecycle reaches", () => {
    const check = getTableConfig(settlements).checks.find((each) => each.name === NAME);
    expect(check).toBeDefined();
    if (check) expect(pairsIn(new PgDialect().sqlToQuery(check.value).sql)).toEqual(legal);
  });

  it("lists, in the migration, exactly the pairs that the lifecycle reaches", () => {
    const migration = readFileSync(new URL("../migrations/0000_init.sql", import.meta.url), "utf8");
    const [, text = ""] = new RegExp(`CONSTRAINT "${NAME}" CHECK ([\\s\\S]*?)\\),?\\n\\s*(?:CONSTRAINT|\\);)`).exec(migration) ?? [];
    expect(pairsIn(text)).toEqual(legal);
  });
});
