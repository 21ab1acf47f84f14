import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPosted, insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { databaseErrorOf } from "#db/trouble.ts";
import { topupAt, withdrawalAt } from "#domain/fiat-fixture.ts";
import { type LedgerEntry, poolFunded, topupPostings, withdrawalPostings } from "#domain/ledger.ts";
import type { WithdrawalStep } from "#domain/withdrawal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { ledgerEntries, ledgerPostings } from "./ledger.ts";

let database: TestDatabase;
let partnerId: string;
const NOW = new Date("2026-11-21T10:00:00.000Z");

beforeAll(async () => {
  database = await createTestDatabase();
  ({ partnerId } = await addPartner(database.db));
});
afterAll(() => database.close());

let orders = 0;
const newOrder = () => `wd_${++orders}`;
const of = (id: string, step: WithdrawalStep) => withdrawalPostings(withdrawalAt(step, { id, partnerId }));
const post = (entry: LedgerEntry | null) =>
  database.db.transaction(async (tx) => {
    if (entry !== null) await insertLedgerEntry(tx, entry, NOW);
  });
/** The constraint or code that refused it. */
async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    const trouble = databaseErrorOf(error);
    return trouble?.constraint_name ?? trouble?.code ?? String(error);
  }
}
const CHECK_VIOLATION = "23514";
const kes = { currency: "KES", chain: null, decimals: 2 };
const line = (amount: bigint, asset: typeof kes = kes) => ({ account: "clearing" as const, partnerId: null, asset, amount });
const entryOf = (postings: LedgerEntry["postings"]): LedgerEntry => ({
  cause: "pool",
  causeId: newOrder(),
  step: "funded",
  phase: "posted",
  resolves: null,
  partnerId: null,
  postings,
});

describe("an entry", () => {
  test("is kept with its postings, to the last unit of a 256-bit number", async () => {
    const huge = 2n ** 256n - 1n;
    const entry = entryOf([line(huge), line(-huge)]);
    await post(entry);
    expect(await hasPosted(database.db, entry)).toBe(true);
    const [row] = await database.db.select().from(ledgerEntries).where(eq(ledgerEntries.causeId, entry.causeId));
    const lines = await database.db
      .select()
      .from(ledgerPostings)
      .where(eq(ledgerPostings.entryId, row?.id ?? ""));
    expect(lines.map(({ amount }) => amount).sort()).toEqual([-huge, huge].sort());
    expect(row).toMatchObject({ lines: 2, phase: "posted", at: NOW });
  });

  test("is refused at commit when an asset does not add up", async () => {
    expect(await faultOf(post(entryOf([line(5n), line(-4n)])))).toBe(CHECK_VIOLATION);
    expect(await faultOf(post(entryOf([line(5n), line(-5n, { ...kes, currency: "JPY" })])))).toBe(CHECK_VIOLATION);
    expect(await faultOf(post(entryOf([line(5n), line(-5n, { ...kes, decimals: 0 })])))).toBe(CHECK_VIOLATION);
  });

  test("is refused without postings, and with a posting of nothing", async () => {
    expect(await faultOf(post(entryOf([])))).toBe("ledger_entries_phase");
    expect(await faultOf(post(entryOf([line(0n), line(0n)])))).toBe("ledger_postings_amount");
  });

  test("happens once for each cause and step, also when two try at once", async () => {
    const entry = poolFunded("KES", 7n, newOrder());
    const outcomes = await Promise.all([faultOf(post(entry)), faultOf(post(entry)), faultOf(post(entry))]);
    expect(outcomes.sort()).toEqual(["ledger_entries_once", "ledger_entries_once", "none"]);
  });

  test("can be given no further posting afterwards, balanced or not", async () => {
    const entry = poolFunded("KES", 7n, newOrder());
    await post(entry);
    const [row] = await database.db.select().from(ledgerEntries).where(eq(ledgerEntries.causeId, entry.causeId));
    const more = { entryId: row?.id ?? "", account: "clearing" as const, phase: "posted" as const, currency: "KES", decimals: 2 };
    const add = (lines: number, numbers: number[]) =>
      faultOf(
        database.db.insert(ledgerPostings).values(numbers.map((line, index) => ({ ...more, lines, line, amount: index === 0 ? 9n : -9n }))),
      );
    expect(await add(2, [1, 2])).toBe("ledger_postings_entry_id_line_pk");
    expect(await add(2, [3, 4])).toBe("ledger_postings_line");
    expect(await add(4, [3, 4])).toBe("ledger_postings_of_entry");
  });

  test("cannot be changed, deleted or emptied by the application", async () => {
    for (const statement of [
      sql`update ledger_postings set amount = amount + 1`,
      sql`delete from ledger_postings`,
      sql`truncate ledger_postings`,
      sql`update ledger_entries set step = 'sent'`,
      sql`delete from ledger_entries`,
    ]) {
      expect(await faultOf(database.db.execute(statement))).toBe("42501");
    }
  });
});

describe("a promise", () => {
  test("is posted or voided exactly once, and by its own withdrawal alone", async () => {
    const id = newOrder();
    await post(of(id, "reserved"));
    await post(of(id, "released"));
    expect(await faultOf(post(of(id, "paid")))).toBe("ledger_entries_resolved_once");
    expect(await faultOf(post(of(id, "returning")))).toBe("ledger_entries_resolved_once");
  });

  test("has one end when two ends come at once", async () => {
    const id = newOrder();
    await post(of(id, "reserved"));
    const outcomes = await Promise.all([faultOf(post(of(id, "paid"))), faultOf(post(of(id, "released")))]);
    expect(outcomes.sort()).toEqual(["ledger_entries_resolved_once", "none"]);
  });

  test("that was never made cannot end", async () => {
    expect(await faultOf(post(of(newOrder(), "paid")))).toContain("never posted reserved");
  });

  test("of another cause, or that was no promise, cannot be ended", async () => {
    const [mine, other] = [newOrder(), newOrder()];
    await post(of(other, "reserved"));
    await post(topupPostings(topupAt("sending", { id: mine, partnerId })));
    const end = (causeId: string, of: string) =>
      database.db.transaction(async (tx) => {
        const [promised] = await tx.select().from(ledgerEntries).where(eq(ledgerEntries.causeId, of));
        const values = { id: newOrder(), cause: "withdrawal" as const, causeId, step: "released" as const, phase: "voided" as const };
        await tx.insert(ledgerEntries).values({ ...values, resolvesId: promised?.id ?? "", lines: 0, at: NOW });
      });
    expect(await faultOf(end(mine, other))).toBe(CHECK_VIOLATION);
    expect(await faultOf(end(mine, mine))).toBe(CHECK_VIOLATION);
  });
});
