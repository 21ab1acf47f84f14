import { afterAll, beforeAll, expect, it } from "vitest";
import type { Change } from "#server/services/audit/follow-changes.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type LogLine, testContext } from "#testing/surface.ts";
import { liveHub } from "./live-hub.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("drops a listener that reads nothing while thousands of changes come, keeps nothing for it, and sends the others everything", async () => {
  const lines: LogLine[] = [];
  const hub = liveHub(testContext(database.db, lines));
  const over = new AbortController();
  const slow = hub.listen(over.signal)[Symbol.asyncIterator]();
  expect((await slow.next()).done).toBe(false);
  let heard = 0;
  const listening = (async () => {
    for await (const changes of hub.listen(over.signal)) heard += changes.filter(({ action }: Change) => action === "flood").length;
  })();
  for (let batch = 0; batch < 3; batch += 1) {
    await database.sql`
      insert into audit_entries (id, at, actor_type, action, object_id, change)
      select 'au_' || lpad((extract(epoch from clock_timestamp()) * 1000)::bigint::text, 10, '0') || lpad(n::text, 16, '0'), business_now(), 'system', 'flood', 'x', '{}'
      from generate_series(${batch * 1_000 + 1}::int, ${batch * 1_000 + 1_000}::int) n`;
  }
  await expect
    .poll(() => lines.some(({ message }) => message === "a live stream fell behind and was closed"), { timeout: 30_000 })
    .toBe(true);
  await expect(slow.next()).rejects.toMatchObject({ code: "temporarily_unavailable" });
  await expect.poll(() => heard, { timeout: 30_000 }).toBeGreaterThanOrEqual(2_000);
  over.abort();
  await listening;
});
