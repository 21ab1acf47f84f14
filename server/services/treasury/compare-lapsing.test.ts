import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import type { Transfer } from "#domain/transfer.ts";
import { openSolanaChain } from "#server/adapters/chain/solana/open-solana-chains.ts";
import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import { runLapsingOnce } from "#server/engines/lapsing/run-lapsing.ts";
import { examineChains } from "#server/services/maintenance/examine-chains.ts";
import { liftHalts } from "#testing/halts.ts";
import { addProvenPerson } from "#testing/people.ts";
import { AMOUNT, openSolanaBench, type SolanaBench } from "#testing/solana-bench.ts";
import { bookLapsingLoss } from "./book-lapsing-loss.ts";
import { compareLapsing } from "./compare-lapsing.ts";

let bench: SolanaBench;
beforeAll(async () => {
  bench = await openSolanaBench();
});
afterAll(() => bench?.close());

const directory = () => ({ list: () => [bench.chain], find: () => bench.chain });
const clock = { now: () => new Date() };
const entries = (): LapsingEntry[] => readAsFarAsPossible(readFileSync(bench.journal.path)).lines.state.lapsing.attempts(bench.chain.chain);
const compare = async () => (await compareLapsing({ db: bench.db, lapsing: directory() }, entries()))[0]?.lost ?? [];

/** As a backup of before the payment was signed, or (`isOwed` false) of before it was confirmed. */
async function putBack({ id }: Transfer, isOwed: boolean): Promise<void> {
  await bench.sql`delete from lapsing_attempts where transfer_id = ${id}`;
  if (isOwed) await bench.sql`update transfers set state = 'queued', lease_until = null, rest_until = null where id = ${id}`;
  else await bench.sql`delete from transfers where id = ${id}`;
}

it("finds what a database that was put back has lost, and books what nobody owes any more, once", async () => {
  const [known, owed, gone] = [await bench.owe(), await bench.owe(), await bench.owe()];
  await runLapsingOnce(bench.newWorker(), bench.chain);
  await putBack(owed, true);
  await putBack(gone, false);
  expect((await compare()).map(({ fate }) => fate)).toEqual(["open", "open"]);
  await bench.cluster.finish();
  const lost = await compare();
  const seen = lost.map(({ entry, transfer, fate }) => [entry.owner, transfer?.id ?? null, fate]);
  expect(seen.toSorted()).toEqual(
    [
      [`settlement:${owed.ownerId}`, owed.id, "paid"],
      [`settlement:${gone.ownerId}`, null, "paid"],
    ].toSorted(),
  );
  // By one node alone it is not proven.
  await bench.cluster.faults({ isSilent: true }, 1);
  expect((await compare()).map(({ fate }) => fate)).toEqual(["unknown", "unknown"]);
  await bench.cluster.faults({}, 1);

  const { by } = await addProvenPerson(bench.db, "admin");
  const ctx = { db: bench.db, lapsing: directory(), mode: "sandbox" as const, clock };
  const book = (owner: string) =>
    bookLapsingLoss(ctx, { by, chain: bench.chain, entries: entries().filter((entry) => entry.owner === owner), reason: "lost" });
  await expect(book(`settlement:${known.ownerId}`)).rejects.toThrow("is known here");
  await expect(book(`settlement:${owed.ownerId}`)).rejects.toThrow("it ends by itself");
  await book(`settlement:${gone.ownerId}`);
  await expect(book(`settlement:${gone.ownerId}`)).rejects.toThrow("booked as lost already");
  const postings = await bench.sql`select account, currency, amount::text from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where e.step = 'lost' and account = 'losses'`;
  expect(postings).toEqual([{ account: "losses", currency: "USDC", amount: String(AMOUNT) }]);
  expect((await compare()).map(({ transfer }) => transfer?.id)).toEqual([owed.id]);
});

it("finds the part of a transaction of several payments that nobody owes here, and books that part once", async () => {
  const on = openSolanaChain({ ...bench.cluster.settings([0, 1]), packing: true });
  const worker = () => bench.newWorker(undefined, bench.signers({ on }), on);
  // What was put back before comes to its end.
  for (let pass = 0; pass < 4; pass += 1) {
    await runLapsingOnce(worker(), on);
    await liftHalts(bench.sql);
    await bench.cluster.advance(2);
  }
  const lapsing = { list: () => [on], find: () => on };
  const parts = async () =>
    ((await compareLapsing({ db: bench.db, lapsing }, entries()))[0]?.lost ?? []).filter(({ entry }) => entry.members);
  const [kept, other, gone] = [await bench.owe(), await bench.owe(), await bench.owe()];
  await runLapsingOnce(worker(), on);
  const [{ pack } = { pack: "" }] = await bench.sql`select pack_id as pack from pack_members where transfer_id = ${kept.id}`;
  expect(await parts()).toEqual([]);
  await bench.sql`delete from lapsing_attempts where transfer_id = ${pack}`;
  await bench.sql`delete from pack_members where pack_id = ${pack}`;
  await bench.sql`delete from transfers where id in (${pack}, ${gone.id})`;
  await bench.sql`update transfers set state = 'queued', lease_until = null, rest_until = null where id in (${kept.id}, ${other.id})`;
  const [whole] = await parts();
  expect([whole?.isPart, whole?.payments.map(({ owner, transfer }) => [owner, transfer?.id ?? null])]).toEqual([
    false,
    [
      [`settlement:${kept.ownerId}`, kept.id],
      [`settlement:${other.ownerId}`, other.id],
      [`settlement:${gone.ownerId}`, null],
    ],
  ]);
  await runLapsingOnce(worker(), on);
  await liftHalts(bench.sql);
  await bench.run(worker(), [kept, other]);
  expect([await bench.stateOf(kept), await bench.stateOf(other)]).toEqual(["executed", "executed"]);
  const [part] = await parts();
  expect(part).toMatchObject({
    fate: "paid",
    transfer: null,
    isPart: true,
    entry: { amountBase: AMOUNT, members: [{ owner: `settlement:${gone.ownerId}` }] },
  });

  const { by } = await addProvenPerson(bench.db, "admin");
  const ctx = { db: bench.db, lapsing, mode: "sandbox" as const, clock };
  const book = () => bookLapsingLoss(ctx, { by, chain: on, entries: entries().filter(({ id }) => id === part?.entry.id), reason: "lost" });
  await book();
  expect(await parts()).toEqual([]);
  await expect(book()).rejects.toThrow("booked as lost already");
  const postings = await bench.sql`select account, currency, amount::text from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where e.step = 'lost' and e.cause_id like ${`%${part?.entry.id}`} order by account`;
  expect(postings.slice()).toEqual([
    { account: "losses", currency: "USDC", amount: String(AMOUNT) },
    { account: "treasury", currency: "USDC", amount: String(-AMOUNT) },
  ]);
});

it("examines the nodes: whose chain, and how old the newest final block is", async () => {
  const examine = async (on = bench.chain, now = clock) =>
    await examineChains({ evm: { list: () => [], find: () => null }, lapsing: { list: () => [on], find: () => on }, clock: now });
  const levels = async (...asked: Parameters<typeof examine>) => (await examine(...asked)).map(({ level }) => level);
  await bench.cluster.advance();
  expect(await levels()).toEqual(["ok", "ok"]);
  expect(await levels({ ...bench.chain, identity: "another" })).toEqual(["trouble", "trouble"]);
  expect(await levels(bench.chain, { now: () => new Date(Date.now() + 3_600_000) })).toEqual(["trouble", "trouble"]);
  await bench.cluster.faults({ isSilent: true }, 0);
  expect(await levels()).toEqual(["trouble", "ok"]);
  await bench.cluster.faults({}, 0);
});
