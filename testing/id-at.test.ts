import { expect, test } from "vitest";
import { firstId } from "#domain/ids.ts";
import { createTestDatabase } from "./database.ts";
import { idAt } from "./id-at.ts";

test("an id made in SQL begins as one of the service's would", async () => {
  const database = await createTestDatabase();
  const at = new Date("2026-11-21T10:05:00.123Z");
  const [row] = await database.sql.unsafe(`select ${idAt("cb", `'${at.toISOString()}'::timestamptz`, "repeat('0', 16)")} as id`);
  expect(row?.id).toBe(firstId("callback", at));
  await database.close();
});
