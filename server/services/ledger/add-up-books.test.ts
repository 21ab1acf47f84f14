import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { insertLedgerEntries, insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { databaseErrorOf } from "#db/trouble.ts";
import { poolFunded } from "#domain/ledger.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { setClockOffset } from "#testing/factories.ts";
import { bookkeeper } from "./add-up-books.ts";
import { auditDatabase } from "./audit-database.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let database: TestDatabase;
let other: OpenDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  other = openDatabase({ url: database.url, applicationName: "other", maxConnections: 1, role: database.role, layout: database.layout });
});
afterEach(async () => {
  await other.close();
  await database.close();
});

let booked = 0;
/** Books a pool's funding at a time after the test began, and moves business time there. */
async function bookAt(afterMs: number): Promise<void> {
  booked += 1;
  await setClockOffset(database.db, afterMs);
  await insertLedgerEntry(database.db, poolFunded("KES", 100n, `funding-${booked}`), await readBusinessNow(database.db));
}

/** One that adds up to the present moment. */
const keeper = (mostEntries?: number) => bookkeeper({ db: database.worker }, { settleMs: 0, ...(mostEntries && { mostEntries }) });
const countSnapshots = async () =>
  Number((await database.sql<{ count: string }[]>`select count(distinct before_id) as count from ledger_snapshots`)[0]?.count);

/** Balances as they are read are those of all postings, and a full audit finds the snapshots right. */
async function expectBalances(): Promise<void> {
  const added = await database.sql<{ account: string; amount: string }[]>`
    select account, sum(amount)::text as amount from ledger_postings where phase = 'posted' group by 1 order by 1`;
  const read = await listLedgerBalances(database.db);
  expect(read.map(({ account, amount }) => ({ account, amount: String(amount) }))).toEqual(added.map((row) => ({ ...row })));
  const held = (await auditDatabase({ db: database.db })).rules.find(({ rule }) => rule === "ledger_snapshots_hold");
  expect(held?.checked).toBeGreaterThan(0);
  expect(held?.violations).toEqual([]);
}

it("adds the books up once a day, and says the same with and without", async () => {
  await bookAt(0);
  await setClockOffset(database.db, MINUTE_MS);
  expect(await keeper().run()).toBe(true);
  await bookAt(2 * MINUTE_MS);
  await setClockOffset(database.db, HOUR_MS);
  expect(await keeper().run()).toBe(false);
  await expectBalances();
  await setClockOffset(database.db, 25 * HOUR_MS);
  expect(await keeper().run()).toBe(true);
  expect(await keeper().run()).toBe(false);
  expect(await countSnapshots()).toBe(2);
  await expectBalances();
});

it("adds them up as often as there are many new entries", async () => {
  await bookAt(0);
  await setClockOffset(database.db, MINUTE_MS);
  expect(await keeper(25).run()).toBe(true);
  for (let minute = 2; minute < 26; minute += 1) await bookAt(minute * MINUTE_MS);
  await setClockOffset(database.db, 30 * MINUTE_MS);
  expect(await keeper(25).run()).toBe(false);
  await bookAt(31 * MINUTE_MS);
  await setClockOffset(database.db, 32 * MINUTE_MS);
  expect(await keeper(25).run()).toBe(true);
  expect(await countSnapshots()).toBe(2);
  await expectBalances();
});

it("adds up a long backlog step by step, so that commits wait for a short time only", async () => {
  const now = await readBusinessNow(database.db);
  const backlog = Array.from({ length: 230 }, (_, index) => poolFunded("KES", 100n, `backlog-${index}`));
  await insertLedgerEntries(database.db, backlog, now);
  await setClockOffset(database.db, MINUTE_MS);
  const stepwise = keeper(10);
  const rounds = [];
  for (let round = 0; round < 7; round += 1) rounds.push(await stepwise.run());
  expect(rounds).toEqual([true, true, true, true, true, false, false]);
  expect(await countSnapshots()).toBe(5);
  await expectBalances();
});

it("leaves out the last minutes of real time, however far business time has moved", async () => {
  await bookAt(0);
  const patient = bookkeeper({ db: database.worker }, { settleMs: HOUR_MS });
  expect(await patient.run()).toBe(false);
  await setClockOffset(database.db, 25 * HOUR_MS);
  expect(await patient.run()).toBe(false);
  expect(await countSnapshots()).toBe(0);
});

it("adds nothing up while the database's clock is ahead of the machine's", async () => {
  await bookAt(0);
  let aheadMs = 2 * MINUTE_MS;
  const wary = bookkeeper({ db: database.worker }, { settleMs: 0, now: () => Date.now() - aheadMs });
  expect(await wary.run()).toBe(false);
  expect(await countSnapshots()).toBe(0);
  aheadMs = 0;
  expect(await wary.run()).toBe(true);
  await expectBalances();
});

it("waits for an entry that is being committed, and has it", async () => {
  await bookAt(0);
  const [isChecked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = other.db.transaction(async (tx) => {
    await insertLedgerEntry(tx, poolFunded("KES", 100n, "late"), await readBusinessNow(tx));
    await tx.execute("set constraints all immediate");
    isChecked.resolve();
    await mayEnd.promise;
  });
  await isChecked.promise;
  await setClockOffset(database.db, HOUR_MS);
  let isDone = false;
  const adding = keeper()
    .run()
    .finally(() => {
      isDone = true;
    });
  await expect
    .poll(
      () => database.sql`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`,
    )
    .toHaveLength(1);
  expect(isDone).toBe(false);
  mayEnd.resolve();
  await writing;
  expect(await adding).toBe(true);
  await expectBalances();
});

it("refuses an entry that is older than what was added up, at its commit, but for a promise", async () => {
  await bookAt(0);
  const stale = await readBusinessNow(database.db);
  const [isThere, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = other.db.transaction(async (tx) => {
    await insertLedgerEntry(tx, poolFunded("KES", 100n, "stale"), stale);
    isThere.resolve();
    await mayEnd.promise;
  });
  await isThere.promise;
  await setClockOffset(database.db, HOUR_MS);
  expect(await keeper().run()).toBe(true);
  mayEnd.resolve();
  const refused = await writing.catch((error: unknown) => error);
  expect(databaseErrorOf(refused)?.message).toMatch(/older than the newest snapshot/);
  expect(await database.sql`select 1 from ledger_entries where cause_id = 'KES:stale'`).toHaveLength(0);
  await insertLedgerEntry(database.db, { ...poolFunded("KES", 100n, "promised"), phase: "pending" }, stale);
  await insertLedgerEntry(database.db, poolFunded("KES", 100n, "stale"), await readBusinessNow(database.db));
  await expectBalances();
});
