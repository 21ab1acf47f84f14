import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type Database, openDatabase, scopedTo } from "./client.ts";
import { ringForEvents } from "./event-bell.ts";
import { wakeWorkers } from "./wake-workers.ts";

let database: TestDatabase;
const heard: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.listen("due_work", (payload) => void heard.push(payload));
});
afterAll(() => database.close());
/** A notification that is sent last is received last. */
async function heardUntilNow(): Promise<string[]> {
  await database.sql.notify("due_work", "last");
  await vi.waitFor(() => expect(heard).toContain("last"));
  return heard.splice(0).filter((payload) => payload !== "last");
}

describe("workers", () => {
  it("are woken once the transaction has committed, however often it asked, and not by one that is rolled back", async () => {
    await database.db.transaction(async (tx) => {
      for (let time = 0; time < 3; time += 1) await wakeWorkers(tx, "transfers");
      expect(await heardUntilNow()).toEqual([]);
    });
    await vi.waitFor(() => expect(heard).toEqual(["transfers"]));
    heard.length = 0;
    const failing = database.db.transaction(async (tx) => {
      await wakeWorkers(tx, "transfers");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await heardUntilNow()).toEqual([]);
  });

  it("are woken out of a savepoint once all has committed, not out of one that is rolled back, and at once without a transaction", async () => {
    await database.db.transaction(async (tx) => {
      await tx.transaction((inner) => wakeWorkers(inner, "transfers"));
      expect(await heardUntilNow()).toEqual([]);
    });
    await vi.waitFor(() => expect(heard.splice(0)).toEqual(["transfers"]));
    await database.db.transaction(async (tx) => {
      const undone = tx.transaction(async (inner) => {
        await wakeWorkers(inner, "transfers");
        throw new Error("no");
      });
      await expect(undone).rejects.toThrow("no");
    });
    expect(await heardUntilNow()).toEqual([]);
    await wakeWorkers(database.db, "transfers");
    expect(await heardUntilNow()).toEqual(["transfers"]);
  });

  it("are woken by a statement of its own behind the commit, so that no commit waits for another's; many at once by few", async () => {
    const sent: string[] = [];
    const onStatement = (text: string) => void sent.push(text);
    const pool = openDatabase({ url: database.url, applicationName: "waking", maxConnections: 8, role: database.role, onStatement });
    const work = () => pool.db.transaction((tx) => wakeWorkers(tx, "transfers"));
    await work();
    await vi.waitFor(() => expect(sent.at(-1)).toContain("pg_notify"));
    expect(sent.findIndex((text) => text.includes("pg_notify"))).toBeGreaterThan(sent.indexOf("commit"));
    sent.length = 0;
    await Promise.all(Array.from({ length: 60 }, work));
    await vi.waitFor(() => expect(sent.at(-1)).toContain("pg_notify"));
    const wakes = sent.filter((text) => text.includes("pg_notify")).length;
    expect(wakes).toBeGreaterThan(0);
    expect(wakes).toBeLessThan(60);
    await pool.close();
  });

  it("are woken for partners by the process itself, as readers of events are: in no partner's transaction", async () => {
    const sent: string[] = [];
    const onStatement = (text: string) => void sent.push(text.trim());
    const pool = openDatabase({ url: database.url, applicationName: "waking", maxConnections: 8, role: database.role, onStatement });
    const partners = Array.from({ length: 16 }, () => scopedTo(pool.db, { of: "partner", id: randomUUID() }));
    const change = (tx: Database) => {
      ringForEvents(tx, randomUUID());
      return wakeWorkers(tx, "transfers");
    };
    await Promise.all(partners.map((db) => db.transaction(change)));
    const count = (part: string) => sent.filter((text) => text.includes(part)).length;
    await vi.waitFor(() => expect([count("pg_notify($1, $2)"), count("due_work")].every((times) => times > 0)).toBe(true));
    expect(count("begin")).toBe(partners.length);
    await pool.close();
  });
});
