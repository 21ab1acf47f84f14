import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findNewestVersion, findTerms } from "#db/queries/rates/pair-terms.ts";
import type { By } from "#domain/access.ts";
import type { Terms } from "#domain/pair-terms.ts";
import type { Uses } from "#server/context.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, TEST_CHAIN, testChains } from "#testing/factories.ts";
import { justProven } from "#testing/people.ts";
import { setPairTerms, withdrawOverride } from "./change-terms.ts";

const ADMIN: By = {
  actor: { type: "user", userId: randomUUID(), role: "admin", partnerId: null },
  requestId: "req_1",
  proof: justProven(),
};
const TERMS: Terms = {
  enabled: true,
  spreadBps: 50,
  platformFeeBase: 500_000n,
  minimumSourceMinor: 10_000n,
  maximumSourceMinor: 100_000_000n,
  twoApprovalsAboveMinor: null,
  batchMaximumSourceMinor: null,
  quoteLifetimeSeconds: 300,
  approvedLifetimeSeconds: 1_800,
};
const owned = (sourceCurrency: string, partnerId: string | null = null) => ({
  sourceCurrency,
  destinationCurrency: "USDT",
  chain: TEST_CHAIN.chain,
  partnerId,
});

let database: TestDatabase;
let ctx: Uses<"db" | "clock" | "chains" | "mode">;
let partnerId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { db: database.db, clock: { now: () => new Date() }, chains: testChains, mode: "sandbox" };
  partnerId = (await addPartner(database.db)).partnerId;
});
afterAll(() => database.close());

async function set(owner: ReturnType<typeof owned>, expectedVersion: number, terms: Partial<Terms> = {}, by = ADMIN) {
  const { version } = await setPairTerms(ctx, { by, owner, terms: { ...TERMS, ...terms }, expectedVersion, reason: "market" });
  if (version === null) throw new Error("the terms await a second person");
  return version;
}

describe("setting a pair's terms", () => {
  test("adds a version, keeps the earlier one as it was, and records who changed what", async () => {
    const first = await set(owned("KES"), 0);
    const second = await set(owned("KES"), 1, { spreadBps: 75 });
    expect([first.version, second.version]).toEqual([1, 2]);
    expect((await findTerms(database.db, { ...owned("KES"), partnerId }))?.id).toBe(second.id);
    const rows = await database.sql`select id, spread_bps, created_by from pair_terms where source_currency = 'KES' order by version`;
    const createdBy = `user:${ADMIN.actor.type === "user" ? ADMIN.actor.userId : ""}`;
    expect(rows).toEqual([
      { id: first.id, spread_bps: 50, created_by: createdBy },
      { id: second.id, spread_bps: 75, created_by: createdBy },
    ]);
    const [entry] = await database.sql`select action, reason, change from audit_entries where object_id = ${second.id}`;
    expect(entry).toMatchObject({
      action: "pair_terms.set",
      reason: "market",
      change: { before: { spread_bps: 50 }, after: { spread_bps: 75, platform_fee: "0.5" } },
    });
  });

  test("lets exactly one of many who edit the same version at once win, and names the version in force to the others", async () => {
    await set(owned("EUR"), 0);
    const edits = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => set(owned("EUR"), 1, { spreadBps: 100 + index })));
    expect(edits.filter((edit) => edit.status === "fulfilled")).toHaveLength(1);
    for (const edit of edits) {
      if (edit.status === "rejected")
        expect(edit.reason).toMatchObject({ code: "conflict", particulars: { members: { current_version: 2 } } });
    }
    expect((await findNewestVersion(database.db, owned("EUR")))?.version).toBe(2);
    const [count] = await database.sql`select count(*)::int as n from audit_entries where change->>'source_currency' = 'EUR'`;
    expect(count?.n).toBe(2);
  });

  test("refuses a change that is based on an older version, and a first version of what exists", async () => {
    await set(owned("PHP"), 0);
    await set(owned("PHP"), 1);
    for (const stale of [0, 1, 3]) await expect(set(owned("PHP"), stale)).rejects.toMatchObject({ code: "conflict" });
  });

  test("refuses bad terms with every fault and changes nothing", async () => {
    await expect(set(owned("NGN"), 0, { spreadBps: -1, maximumSourceMinor: 1n })).rejects.toMatchObject({
      code: "validation_failed",
      particulars: { errors: [{ pointer: "/spread_bps" }, { pointer: "/maximum_source_amount" }] },
    });
    expect(await findNewestVersion(database.db, owned("NGN"))).toBeNull();
  });

  test("refuses a currency, token or chain that is not there", async () => {
    await expect(set(owned("USDT"), 0)).rejects.toMatchObject({ code: "unsupported_pair" });
    await expect(set({ ...owned("KES"), destinationCurrency: "DOGE" }, 0)).rejects.toMatchObject({ code: "unsupported_pair" });
    await expect(set({ ...owned("KES"), chain: "eip155:1" }, 0)).rejects.toMatchObject({ code: "unsupported_chain" });
    await expect(set(owned("KES", randomUUID()), 0)).rejects.toMatchObject({ code: "not_found" });
  });

  test("refuses everybody but an operator's administrator", async () => {
    const actors: By["actor"][] = [
      { type: "api_key", apiKeyId: randomUUID(), partnerId },
      { type: "user", userId: randomUUID(), role: "approver", partnerId: null },
      { type: "user", userId: randomUUID(), role: "viewer", partnerId: null },
      { type: "user", userId: randomUUID(), role: "owner", partnerId },
      { type: "system" },
    ];
    for (const actor of actors) {
      await expect(set(owned("JPY"), 0, {}, { actor, requestId: null })).rejects.toMatchObject({ code: "forbidden" });
      const withdrawal = withdrawOverride(ctx, {
        by: { actor, requestId: null },
        owner: { ...owned("JPY"), partnerId },
        expectedVersion: 1,
        reason: null,
      });
      await expect(withdrawal).rejects.toMatchObject({ code: "forbidden" });
    }
    expect(await findNewestVersion(database.db, owned("JPY"))).toBeNull();
  });
});

describe("a partner's override", () => {
  test("counts its versions by itself, ends as a version of its own, and can come back", async () => {
    const owner = { ...owned("KWD"), partnerId };
    await set(owned("KWD"), 0);
    await set(owner, 0, { spreadBps: 10 });
    expect(await findTerms(database.db, owner)).toMatchObject({ partnerId, version: 1, spreadBps: 10 });

    const { version: ended } = await withdrawOverride(ctx, { by: ADMIN, owner, expectedVersion: 1, reason: "contract ended" });
    expect(ended).toMatchObject({ version: 2, withdrawn: true, spreadBps: 10 });
    expect(await findTerms(database.db, owner)).toMatchObject({ partnerId: null, spreadBps: 50 });
    await expect(withdrawOverride(ctx, { by: ADMIN, owner, expectedVersion: 2, reason: null })).rejects.toMatchObject({
      code: "not_found",
    });

    await set(owner, 2, { spreadBps: 15 });
    expect(await findTerms(database.db, owner)).toMatchObject({ partnerId, version: 3, spreadBps: 15 });
  });

  test("that is changed while another ends it: one of the two wins", async () => {
    const owner = { ...owned("USD"), partnerId };
    await set(owner, 0);
    const results = await Promise.allSettled([
      set(owner, 1, { spreadBps: 1 }),
      withdrawOverride(ctx, { by: ADMIN, owner, expectedVersion: 1, reason: null }),
    ]);
    expect(results.map((result) => result.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await findNewestVersion(database.db, owner))?.version).toBe(2);
  });
});
