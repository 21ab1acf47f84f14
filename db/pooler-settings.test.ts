import { expect, it } from "vitest";
import { examinePooler } from "#domain/examine-surroundings.ts";
import { createTestDatabase } from "#testing/database.ts";
import { startPgbouncer } from "#testing/pgbouncer.ts";
import { readPoolerSettings } from "./pooler-settings.ts";

it("reads what the machine's PgBouncer is set to by ops/database/pgbouncer.ini, which fits the service", async () => {
  const database = await createTestDatabase();
  const pooler = await startPgbouncer(database.url, { sessions: 3 });
  try {
    const settings = await readPoolerSettings(pooler.url);
    expect(settings).toMatchObject({ pool_mode: "transaction", server_login_retry: "1", default_pool_size: "3" });
    expect(examinePooler(settings)).toMatchObject([{ level: "ok" }]);
  } finally {
    await pooler.stop();
    await database.close();
  }
});
