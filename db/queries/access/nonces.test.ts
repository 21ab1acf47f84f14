import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { keyHash } from "#domain/api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, testContext } from "#testing/surface.ts";
import { findApiKeyByHash } from "./api-keys.ts";
import { burnNonce, findNonceUse, type NonceToBurn } from "./nonces.ts";

let database: TestDatabase;
let pool: ReturnType<typeof openDatabase>;
const sent: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const { url, webRole: role, layout } = database;
  const onStatement = (text: string) => void sent.push(text);
  pool = openDatabase({ url, applicationName: "nonces", maxConnections: 8, role, layout, onStatement });
});
afterAll(async () => {
  await pool.close();
  await database.close();
});
beforeEach(() => void sent.splice(0));

/** A new nonce of a new partner's key. */
async function toBurn(): Promise<NonceToBurn> {
  const key = await issueKey(testContext(database.db));
  const found = await findApiKeyByHash(database.db, keyHash(key.apiKey));
  return { apiKeyId: key.id, partnerId: key.partnerId ?? null, keyVersion: found?.version ?? "", nonce: randomUUID() };
}
const several = async (count: number) => await Promise.all(Array.from({ length: count }, toBurn));
const burnAll = (burns: readonly NonceToBurn[]) => Promise.all(burns.map((each) => burnNonce(pool.db, each)));
const areBurnt = async (burns: readonly NonceToBurn[]) =>
  await Promise.all(burns.map(async (each) => (await findNonceUse(database.db, each, each.nonce)) !== null));

describe("nonces of several partners' keys that are burnt at the same time, without work of their own", () => {
  it("share a statement, and each has its own outcome", async () => {
    const burns = await several(5);
    const [first, used, changed] = burns;
    if (first === undefined || used === undefined || changed === undefined) throw new Error("five were made");
    expect(await burnNonce(pool.db, used)).toBe("burnt");
    await database.sql`update api_keys set scopes = array['settlements:read'] where id = ${changed.apiKeyId}`;
    sent.length = 0;
    expect(await burnAll(burns)).toEqual(["burnt", "reused", "key_changed", "burnt", "burnt"]);
    expect(sent.filter((text) => text.includes("insert into nonces"))).toHaveLength(1);
    expect(await areBurnt(burns)).toEqual([true, true, false, true, true]);
    // The same text is another nonce for another key.
    expect(await burnAll(burns.map((each) => ({ ...each, nonce: first.nonce })))).toEqual([
      "reused",
      "burnt",
      "key_changed",
      "burnt",
      "burnt",
    ]);
  });

  it("do not wait for the one that another process is burning with its work", async () => {
    const burns = await several(4);
    const [held] = burns;
    if (held === undefined) throw new Error("four were made");
    const working = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const work = database.db.transaction(async (tx) => {
      await tx.execute(`insert into nonces (api_key_id, nonce, burnt_at) values ('${held.apiKeyId}', '${held.nonce}', now())`);
      began.resolve();
      await working.promise;
    });
    await began.promise;
    let isOver = false;
    const copy = burnNonce(pool.db, held).finally(() => {
      isOver = true;
    });
    const since = performance.now();
    expect(await burnAll(burns.slice(1))).toEqual(["burnt", "burnt", "burnt"]);
    // A statement waits for a lock for 3 s.
    expect(performance.now() - since).toBeLessThan(2_000);
    expect([isOver, await areBurnt(burns)]).toEqual([false, [false, true, true, true]]);
    working.resolve();
    await work;
    expect(await copy).toBe("reused");
  });

  it("do not wait for one of a transaction that is rolled back, which may then be burnt", async () => {
    const burns = await several(2);
    const [held] = burns;
    if (held === undefined) throw new Error("two were made");
    const burning: Promise<string>[] = [];
    const work = database.db.transaction(async (tx) => {
      await tx.execute(`insert into nonces (api_key_id, nonce, burnt_at) values ('${held.apiKeyId}', '${held.nonce}', now())`);
      burning.push(...burns.map((each) => burnNonce(pool.db, each)));
      expect(await burning[1]).toBe("burnt");
      throw new Error("the work failed");
    });
    await expect(work).rejects.toThrow("the work failed");
    expect(await Promise.all(burning)).toEqual(["burnt", "burnt"]);
  });
});
