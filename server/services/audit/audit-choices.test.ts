import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { listAuditChoices } from "./browse-audit-log.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** What a person signs, and no entry of the log. */
const SIGNED = "proposal.confirm";

/** What the code that writes to the audit log calls its actions, where it does so in one word. */
function actionsInCode(): string[] {
  const files = ["server", "sandbox"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const texts = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")).map((name) => readFileSync(name, "utf8"));
  const recorded = texts.filter((text) => text.includes("insertAuditEntr")).flatMap((text) => [...text.matchAll(/action: "(\w+\.\w+)"/g)]);
  const exported = texts.filter((text) => text.includes("recordExport(")).flatMap((text) => [...text.matchAll(/what: "(\w+)"/g)]);
  return [...recorded.map(([, action]) => String(action)), ...exported.map(([, what]) => `${what}.exported`)];
}

it("the filter of the audit log offers every action that the service records", async () => {
  const known = actionsInCode();
  expect(known.length).toBeGreaterThan(80);
  const { actions } = await listAuditChoices({ db: database.db }, {});
  expect(known.filter((action) => action !== SIGNED && !actions.includes(action))).toEqual([]);
});
