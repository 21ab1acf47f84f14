import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findHalt } from "#db/queries/halts/scope-halts.ts";
import type { HaltScope } from "#domain/halt-scope.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { haltScope, isHalted, listOpenHalts } from "./halt-scope.ts";

let database: TestDatabase;
const scope: HaltScope = { kind: "provider", key: "rail" };
const halt = { scope, cause: "provider_contradiction", detail: "It said yes, then no." } as const;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.sql`update lane_halts set lifted_at = now(), lifted_by = 'test', lift_reason = 'between two tests' where lifted_at is null`;
});
afterAll(async () => {
  await database.close();
});

describe("a halt", () => {
  it("stops its own scope and no other, and is in the audit log", async () => {
    const made = await database.db.transaction((tx) => haltScope(tx, { ...halt, evidence: { order_id: "wd_1" } }));
    expect(made).toMatchObject({ scope, cause: "provider_contradiction", haltedBy: null, lift: null });
    expect(await isHalted(database.db, [{ kind: "chain", key: "rail" }, scope])).toBe(true);
    expect(await isHalted(database.db, [{ kind: "chain", key: "rail" }])).toBe(false);
    expect(await isHalted(database.db, [])).toBe(false);
    expect(await listOpenHalts(database)).toEqual([made]);
    expect(await findHalt(database.db, made?.id ?? "")).toMatchObject({ evidence: { order_id: "wd_1" } });
    const [entry] = await database.sql`select action, actor_type, reason from audit_entries where object_id = ${made?.id ?? ""}`;
    expect(entry).toEqual({ action: "lane.halted", actor_type: "system", reason: halt.detail });
  });

  it("is written with what the transaction does, or not at all", async () => {
    const broken = database.db.transaction(async (tx) => {
      await haltScope(tx, halt);
      throw new Error("the rest failed");
    });
    await expect(broken).rejects.toThrow("the rest failed");
    expect(await listOpenHalts(database)).toEqual([]);
  });

  it("is one for a scope, however many meet the fault at once: the first says what broke", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, nth) => database.db.transaction((tx) => haltScope(tx, { ...halt, detail: `Seen by ${nth}.` }))),
    );
    expect(made.filter((one) => one !== null)).toHaveLength(1);
    expect(await listOpenHalts(database)).toHaveLength(1);
  });

  it("is history that nobody rewrites: lifted once, never changed or deleted", async () => {
    const made = await database.db.transaction((tx) => haltScope(tx, halt));
    const id = made?.id ?? "";
    await expect(database.sql`update lane_halts set detail = 'nothing' where id = ${id}`).rejects.toThrow("append only");
    await expect(database.sql`delete from lane_halts where id = ${id}`).rejects.toThrow("append only");
    await database.sql`update lane_halts set lifted_at = now(), lifted_by = 'a', lift_reason = 'looked into' where id = ${id}`;
    await expect(database.sql`update lane_halts set lift_reason = 'other' where id = ${id}`).rejects.toThrow("append only");
    await expect(database.sql`update lane_halts set lifted_at = null where id = ${id}`).rejects.toThrow("append only");
  });
});
