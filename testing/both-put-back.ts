import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingKey, LapsingSigners } from "#domain/lapsing-signer.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { LapsingEngine } from "#server/engines/lapsing/engine.ts";
import { runLapsingOnce } from "#server/engines/lapsing/run-lapsing.ts";
import { completeJournal } from "#server/services/treasury/complete-journal.ts";
import { silentLog } from "./callbacks.ts";
import type { TestDatabase } from "./database.ts";
import { liftHalts } from "./halts.ts";
import type { TestJournal } from "./journal.ts";
import { addProvenPerson } from "./people.ts";
import { openTestSigners } from "./signers.ts";

/** A chain whose payments lapse, with a wallet that has paid nothing yet. */
export type PutBackBench = Pick<TestDatabase, "db" | "sql"> & {
  chain: LapsingChain;
  key: LapsingKey;
  journal: TestJournal;
  owe(): Promise<Transfer>;
  newWorker(signers: LapsingSigners): LapsingEngine;
  /** A block or two. */
  advance(): Promise<unknown>;
  /** Everything that is in a block becomes final. */
  finish(): Promise<unknown>;
  /** Past the expiry of everything that was signed so far. */
  lapse(): Promise<unknown>;
  /** What a recipient has got. */
  held(recipient: string): Promise<bigint>;
  /** How often the end of a payment was written down. */
  announced(id: string): Promise<number>;
};

/** A signer that was away for long: another process, after the journal was put back. */
function signerOf({ db, chain, key, journal }: PutBackBench, last: Date | null, beat = () => {}): LapsingSigners {
  const directories = { evm: { list: () => [], find: () => null }, lapsing: { list: () => [chain], find: () => chain } };
  const rest = { keys: [], caps: [], log: silentLog, findUnowed: async () => new Map<string, string>() };
  return openTestSigners({
    ...rest,
    ...directories,
    db,
    journal: journal.open(),
    lapsingKeys: { of: () => [key] },
    heartbeat: { last, beat },
  }).lapsing;
}

/** Copies the journal and how far the database knows it to be; `putBack` brings both back, with these payments as they were: not signed. */
async function backUp({ sql, journal }: PutBackBench) {
  const bytes = readFileSync(journal.path);
  const [row] = await sql`select records from signing_journal`;
  return async function putBack(...payments: readonly Transfer[]): Promise<void> {
    const ids = payments.map(({ id }) => id);
    await sql`delete from lapsing_attempts where transfer_id in ${sql(ids)}`;
    await sql`update transfers set state = 'queued', lease_until = null, rest_until = null, waiting_reason = null where id in ${sql(ids)}`;
    await sql`update signing_journal set records = ${row?.records}`;
    writeFileSync(journal.path, bytes);
  };
}

async function readState({ db }: PutBackBench, { id }: Transfer) {
  const found = await findTransfer(db, id);
  return { state: found?.state, why: found?.waitingReason ?? null };
}

async function run(bench: PutBackBench, worker: LapsingEngine, of: readonly Transfer[], passes = 10): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    await runLapsingOnce(worker, bench.chain);
    const states = await Promise.all(of.map((one) => readState(bench, one)));
    if (states.every(({ state }) => state === "executed")) return;
    await bench.advance();
  }
}

/** A payment is made, then the database and the journal are both put back to before it. Nobody pays it again, and in the end it is booked. */
export async function expectPaidOnce(bench: PutBackBench): Promise<void> {
  const { db, sql, chain } = bench;
  const first = signerOf(bench, new Date());
  // The first pass begins the journal.
  await runLapsingOnce(bench.newWorker(first), chain);
  const known = await bench.owe();
  await run(bench, bench.newWorker(first), [known]);
  const putBack = await backUp(bench);
  const [paid, gone] = [await bench.owe(), await bench.owe()];
  await runLapsingOnce(bench.newWorker(first), chain);
  await bench.finish();
  await putBack(paid, gone);
  // Confirmed after the backup, so the database has lost it whole.
  await sql`delete from transfers where id = ${gone.id}`;

  const signers = signerOf(bench, null);
  const worker = bench.newWorker(signers);
  await runLapsingOnce(worker, chain);
  expect(await sql`select cause from lane_halts where lifted_at is null and lane_key = ${chain.chain}`).toEqual([
    { cause: "database_behind" },
  ]);
  // Lifting the halt without looking pays nothing twice either.
  await liftHalts(sql);
  const later = await bench.owe();
  await runLapsingOnce(worker, chain);
  await bench.advance();
  expect([await readState(bench, paid), await readState(bench, later)]).toEqual(
    [paid, later].map(() => ({ state: "queued", why: expect.stringContaining("that the signing journal does not have") })),
  );
  expect([await bench.held(paid.recipient), await bench.held(gone.recipient)]).toEqual([paid.amountBase, gone.amountBase]);

  const [by, confirmedBy] = [(await addProvenPerson(db, "admin")).by, (await addProvenPerson(db, "admin")).by];
  const ctx = { db, lapsing: { list: () => [chain], find: () => chain }, clock: { now: () => new Date() } };
  const command = { by, confirmedBy, reason: "both were put back", journal: bench.journal.open(), chosen: new Map<string, string>() };
  await expect(completeJournal(ctx, { ...command, confirmedBy: by })).rejects.toMatchObject({ code: "same_approver" });
  const completed = await completeJournal(ctx, command);
  const owners = completed.map((one) => (one.added ? (one.payments[0] ?? "nobody") : one.why));
  expect(owners.toSorted()).toEqual(["nobody", paid.id].toSorted());
  expect(await completeJournal(ctx, command)).toEqual([]);
  // While its rest lasts the worker leaves it alone.
  await sql`update transfers set rest_until = null where state = 'queued'`;
  await liftHalts(sql);
  await bench.lapse();
  await run(bench, worker, [paid, later]);
  expect([(await readState(bench, paid)).state, (await readState(bench, later)).state]).toEqual(["executed", "executed"]);
  expect([await bench.held(paid.recipient), await bench.held(later.recipient)]).toEqual([paid.amountBase, later.amountBase]);
  expect([await bench.announced(paid.id), await bench.announced(later.id)]).toEqual([1, 1]);
}

/**
 * Both are put back while the payment is in no block yet. After a long absence the signer signs what was owed before only once nothing from
 * before can come about: either it has come about by then, or it never will.
 */
export async function expectNothingOvertaken(bench: PutBackBench & { congest(isCongested: boolean): Promise<unknown> }): Promise<void> {
  const { chain, sql } = bench;
  const first = signerOf(bench, new Date());
  await runLapsingOnce(bench.newWorker(first), chain);
  const putBack = await backUp(bench);
  const transfer = await bench.owe();
  await bench.congest(true);
  await runLapsingOnce(bench.newWorker(first), chain);
  await putBack(transfer);
  let beats = 0;
  const signers = signerOf(bench, null, () => {
    beats += 1;
  });
  const worker = bench.newWorker(signers);
  await runLapsingOnce(worker, chain);
  expect(await readState(bench, transfer)).toEqual({ state: "queued", why: expect.stringContaining("The signer was away") });
  // What is owed since then was not signed before.
  const fresh = await bench.owe();
  await sql`update transfers set created_at = created_at + interval '1 minute' where id = ${fresh.id}`;
  await runLapsingOnce(worker, chain);
  expect((await readState(bench, fresh)).state).not.toBe("queued");
  // Another start would have to wait as well.
  expect(beats).toBe(0);
  await bench.lapse();
  await bench.congest(false);
  await sql`update transfers set rest_until = null where state = 'queued'`;
  await run(bench, worker, [transfer, fresh]);
  expect([await bench.held(transfer.recipient), await bench.held(fresh.recipient)]).toEqual([transfer.amountBase, fresh.amountBase]);
  expect(beats).toBeGreaterThan(0);
}
