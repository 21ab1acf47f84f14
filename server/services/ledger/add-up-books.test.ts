import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { poolFunded } from "#domain/ledger.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { setClockOffset } from "#testing/factories.ts";
import { bookkeeper } from "./add-up-books.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

let booked = 0;
/** Books a pool's funding at a time after the test began, and moves business time there. */
async function bookAt(afterMs: number): Promise<void> {
  booked += 1;
  await setClockOffset(database.db, afterMs);
  await insertLedgerEntry(database.db, poolFunded("KES", 100n, `funding-${booked}`), await readBusinessNow(database.db));
}

const keeper = (mostEntries?: number) => bookkeeper({ db: database.worker }, mostEntries);
/** Passes of one keeper until it stores a snapshot. Transactions of other tests' databases count as running, too. */
async function addUp(mostEntries?: number): Promise<void> {
  const own = keeper(mostEntries);
  await expect.poll(() => own.run()).toBe(true);
}
const countSnapshots = async () =>
  Number((await database.sql<{ count: string }[]>`select count(distinct before_id) as count from ledger_snapshots`)[0]?.count);

/** Balances as they are read, which are those of all postings. */
async function expectBalances(): Promise<void> {
  const added = await database.sql<{ account: string; amount: string }[]>`
    select account, sum(amount)::text as amount from ledger_postings where phase = 'posted' group by 1 order by 1`;
  const read = await listLedgerBalances(database.db);
  expect(read.map(({ account, amount }) => ({ account, amount: String(amount) }))).toEqual(added.map((row) => ({ ...row })));
}

it("adds the books up once a day, up to ten minutes ago, and says the same with and without", async () => {
  await bookAt(0);
  expect(await keeper().run()).toBe(false);
  await setClockOffset(database.db, 11 * MINUTE_MS);
  await addUp();
  await bookAt(12 * MINUTE_MS);
  await setClockOffset(database.db, HOUR_MS);
  expect(await keeper().run()).toBe(false);
  await expectBalances();
  await setClockOffset(database.db, 25 * HOUR_MS);
  await addUp();
  expect(await keeper().run()).toBe(false);
  expect(await countSnapshots()).toBe(2);
  await expectBalances();
});

it("adds them up as often as there are many new entries", async () => {
  await bookAt(0);
  await setClockOffset(database.db, 11 * MINUTE_MS);
  await addUp(3);
  for (const minute of [12, 13]) await bookAt(minute * MINUTE_MS);
  await setClockOffset(database.db, 30 * MINUTE_MS);
  expect(await keeper(3).run()).toBe(false);
  await bookAt(31 * MINUTE_MS);
  expect(await keeper(3).run()).toBe(false);
  await setClockOffset(database.db, 42 * MINUTE_MS);
  await addUp(3);
  expect(await countSnapshots()).toBe(2);
  await expectBalances();
});

it("waits for every transaction that may still book an older entry", async () => {
  await bookAt(0);
  const other = openDatabase({ url: database.url, applicationName: "other", maxConnections: 1, role: database.role });
  const held = keeper();
  const [hasBooked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = other.db.transaction(async (tx) => {
    await insertLedgerEntry(tx, poolFunded("KES", 100n, "late"), await readBusinessNow(tx));
    hasBooked.resolve();
    await mayEnd.promise;
  });
  await hasBooked.promise;
  await setClockOffset(database.db, HOUR_MS);
  expect([await held.run(), await held.run()]).toEqual([false, false]);
  mayEnd.resolve();
  await writing;
  await expect.poll(() => held.run()).toBe(true);
  expect(await countSnapshots()).toBe(1);
  await other.close();
  await expectBalances();
});

it("refuses an entry that is older than what was added up", async () => {
  await bookAt(0);
  const stale = await readBusinessNow(database.db);
  await setClockOffset(database.db, HOUR_MS);
  await addUp();
  await expect(insertLedgerEntry(database.db, poolFunded("KES", 100n, "stale"), stale)).rejects.toThrow();
  expect(await database.sql`select 1 from ledger_entries where cause_id = 'KES:stale'`).toHaveLength(0);
  await insertLedgerEntry(database.db, poolFunded("KES", 100n, "stale"), await readBusinessNow(database.db));
  await expectBalances();
});
