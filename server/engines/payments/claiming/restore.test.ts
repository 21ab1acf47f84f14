import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { listOpenLines } from "#db/queries/transfers/suspense-lines.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import type { By } from "#domain/access.ts";
import { exactText } from "#domain/money.ts";
import type { Transfer } from "#domain/transfer.ts";
import { createTransferEngine, type TransferEngine, type TransferStep } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { bookComparison } from "#server/services/treasury/book-comparison.ts";
import { compareTreasury } from "#server/services/treasury/compare-treasury.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { listForeignPayments } from "#server/services/treasury/list-foreign-payments.ts";
import { watchMovements } from "#server/services/treasury/watch-movements.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { copyTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, type TestPartner } from "#testing/factories.ts";
import { allowPacking } from "#testing/packing.ts";
import { addProvenPerson } from "#testing/people.ts";
import { type BenchOptions, newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
let backup: TestDatabase;
let partner: TestPartner;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await backup.close();
  await bench.close();
});
afterAll(() => chain.stop());

async function setUp(options: BenchOptions = {}): Promise<TransferEngine> {
  bench = await openTransferBench(chain, { onFinal: completeOwner, ...options });
  if (options.packing) await allowPacking(chain, bench.addresses);
  partner = await addPartner(bench.db);
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  const worker = bench.newWorker();
  await bench.run(worker, [], 1);
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  return worker;
}

type World = Pick<TestDatabase, "db">;
const ctxOf = ({ db }: World, mode: "live" | "sandbox" = "live") => {
  const policy = { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 };
  return { ...bench.ctx, db, chains: bench.ctx.evm, mode, policy };
};

/** A settlement that is confirmed, and so is owed. */
async function enqueuePayment(world: World, wallet: string = newAddress()): Promise<Transfer> {
  const ctx = ctxOf(world);
  const quote = await createSettlement(ctx, {
    ...partner,
    chain: chain.chain,
    callbackUrl: "http://localhost:9/callback",
    sourceAmountMinor: 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-1",
    walletAddress: wallet,
  });
  const values = { externalTxId: `ref-${quote.id}`, callbackUrl: null, expectedDestinationAmount: null };
  await confirmSettlement(ctx, { ...partner, id: quote.id, ...values });
  const transfer = await findTransferOf(world.db, "settlement", quote.id);
  if (transfer === null) throw new Error("nothing is owed");
  return transfer;
}

const workerOf = (world: World): TransferEngine =>
  createTransferEngine({
    ctx: { ...bench.ctx, db: world.db, signers: bench.signersOf({ db: world.db, findUnowed }) },
    workerId: randomUUID(),
    onFinal: completeOwner,
    timings: { restMs: 0, lookMs: 0, balanceMs: 0 },
  });

async function passes(worker: TransferEngine, count: number): Promise<void> {
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

/** An admin who has been here for two days and has just given a one-time code. */
async function admin(world: World): Promise<By> {
  return (await addProvenPerson(world.db, "admin")).by;
}

const forget = async ({ sql }: Pick<TestDatabase, "sql">) => {
  await sql`update wallets set lease_owner = null, lease_until = null`;
};

/** From that step on, another server answers behind the same connection: one that was put back to before the payment. */
function workerThatSwitches(at: TransferStep): TransferEngine {
  let present = bench.db;
  const db = new Proxy(bench.db, { get: (_, name) => Reflect.get(present, name) as unknown });
  return createTransferEngine({
    ctx: { ...bench.ctx, db, signers: bench.signersOf({ db, findUnowed }) },
    workerId: randomUUID(),
    onFinal: completeOwner,
    timings: { restMs: 0, lookMs: 0, balanceMs: 0 },
    observe: (step) => {
      if (step === at) present = backup.db;
    },
  });
}

describe("a server that changes behind the connection in the middle of a pass", () => {
  it.each<[TransferStep, string[]]>([
    ["stored", []],
    ["journaled", ["database_behind"]],
  ])("after %s: the payment is made once, and the chain halts where the new server does not know it", async (step, causes) => {
    await setUp();
    await bench.letLeasesLapse();
    const owed = await enqueuePayment(bench);
    await forget(bench);
    backup = await copyTestDatabase(bench);
    await passes(workerThatSwitches(step), 3);
    await forget(backup);
    await backup.sql`update transfers set lease_until = null, lease_token = null, rest_until = null`;
    await passes(workerOf(backup), 8);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    const halts = (await listOpenHalts({ db: backup.db })).map(({ cause }) => cause);
    expect(halts.filter((cause) => cause !== "foreign_nonce")).toEqual(causes);
  });
});

describe("a database that comes back from before a payment", () => {
  it("pays nothing again: the wallet is halted, the payment is found, two people book it, and the rest is paid once", async () => {
    const worker = await setUp();
    const before = await enqueuePayment(bench);
    await bench.run(worker, [before.id]);
    const lost = await enqueuePayment(bench);
    await forget(bench);
    backup = await copyTestDatabase(bench);
    await bench.run(bench.newWorker(), [lost.id]);
    const { txHash } = await bench.transfer(lost.id);
    expect(await bench.tokenBalance(lost.recipient)).toBe(lost.amountBase);

    const restored = workerOf(backup);
    await passes(restored, 10);
    const ctx = ctxOf(backup);
    expect(await findTransferOf(backup.db, "settlement", lost.ownerId)).toMatchObject({ state: "queued" });
    expect(await bench.tokenBalance(lost.recipient)).toBe(lost.amountBase);
    const halts = await listOpenHalts(ctx);
    expect(halts.map(({ cause }) => cause)).toEqual(["database_behind", "foreign_nonce"]);
    const halt = halts.find(({ cause }) => cause === "foreign_nonce");
    expect(halt).toMatchObject({ cause: "foreign_nonce", evidence: { paid: [{ transfer_id: lost.id, hash: txHash, ambiguous: false }] } });

    const [ana, ben] = [await admin(backup), await admin(backup)];
    const orders = halts.map(({ id }) => ({ by: ana, haltId: id, reason: "restored from the backup of this morning" }));
    const order = { by: ana, haltId: halt?.id ?? "", reason: "restored from the backup of this morning" };
    await expect(liftHalt(ctx, order)).rejects.toMatchObject({ code: "invalid_state" });

    const [compared] = await compareTreasury(ctx);
    expect(compared?.paid.map(({ payment, transaction }) => [payment.id, transaction.hash])).toEqual([[lost.id, txHash]]);
    expect(compared?.unexplained).toEqual([]);
    const [proposed] = await bookComparison(ctx, { by: ana, paid: compared?.paid ?? [] });
    expect(proposed).toMatchObject({ outcome: "proposed" });
    expect(await findTransferOf(backup.db, "settlement", lost.ownerId)).toMatchObject({ state: "queued" });
    await expect(confirmProposal(ctx, { by: ana, id: proposed?.detail ?? "" })).rejects.toMatchObject({ code: "same_approver" });
    await confirmProposal(ctx, { by: ben, id: proposed?.detail ?? "" });
    expect(await findTransferOf(backup.db, "settlement", lost.ownerId)).toMatchObject({ state: "executed", txHash });
    expect(await findSettlement(backup.db, lost.ownerId)).toMatchObject({
      status: "executed",
      txHash,
    });
    expect((await compareTreasury(ctx))[0]).toMatchObject({ paid: [], unexplained: [] });

    for (const each of orders) {
      const lift = await liftHalt(ctx, each);
      expect(lift.result).toBeNull();
      await confirmProposal(ctx, { by: ben, id: lift.proposal.id });
    }
    expect(await listOpenHalts(ctx)).toEqual([]);
    const after = await enqueuePayment(backup);
    await passes(restored, 12);
    expect(await findTransferOf(backup.db, "settlement", after.ownerId)).toMatchObject({ state: "executed" });
    expect(await bench.tokenBalance(after.recipient)).toBe(after.amountBase);
    expect(await bench.tokenBalance(lost.recipient)).toBe(lost.amountBase);
    await expectCleanAudit({ db: backup.db, evm: bench.ctx.evm });
  });

  it("finds each payment of a packed transaction by its log, and leaves to suspense what it paid to somebody it does not know", async () => {
    const worker = await setUp({ packing: true });
    await passes(worker, 4);
    const known = [await enqueuePayment(bench), await enqueuePayment(bench)];
    await forget(bench);
    backup = await copyTestDatabase(bench);
    const gone = await enqueuePayment(bench);
    await bench.letLeasesLapse();
    const all = [...known, gone];
    await bench.run(
      bench.newWorker(),
      all.map(({ id }) => id),
      20,
    );
    const placed = await bench.sql<{ id: string; hash: string; place: number }[]>`
      select t.id, t.tx_hash as hash, m.log_index as place from pack_members m join transfers t on t.id = m.transfer_id order by t.id`;
    expect(placed.map(({ id, place }) => [id, place])).toEqual(all.map(({ id }, index) => [id, index]));

    await passes(workerOf(backup), 10);
    const [ctx, on] = [ctxOf(backup), bench.ctx.evm.list()[0]];
    if (on === undefined) throw new Error("there is no chain");
    await watchMovements(ctx, on, "wallet");
    const [compared] = await compareTreasury(ctx);
    const found = compared?.paid.map(({ payment: { id }, transaction: { hash }, place }) => ({ id, hash, place }));
    expect(found).toEqual(placed.slice(0, 2));
    const listed = await listForeignPayments(ctx, compared ? [compared] : []);
    expect(listed.map(({ transferId, logIndex }) => [transferId, logIndex])).toEqual([
      [known[0]?.id, 0],
      [known[1]?.id, 1],
      [null, 2],
    ]);
    const rest = { place: 2, recipient: gone.recipient.toLowerCase(), amountBase: gone.amountBase };
    expect(compared?.besides).toMatchObject([rest]);
    const [ana, ben] = [await admin(backup), await admin(backup)];
    for (const { detail } of await bookComparison(ctx, { by: ana, paid: compared?.paid ?? [] }))
      await confirmProposal(ctx, { by: ben, id: detail ?? "" });
    for (const { ownerId, recipient, amountBase } of known) {
      expect(await findTransferOf(backup.db, "settlement", ownerId)).toMatchObject({ state: "executed", txHash: placed[0]?.hash });
      expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    }
    expect((await compareTreasury(ctx))[0]).toMatchObject({ paid: [], unexplained: [], besides: [rest] });
    expect(await listOpenLines(backup.db, { chain: chain.chain }, 10)).toMatchObject([rest]);
    const fees = await backup.sql`select count(*)::int as count from network_fees where hash = ${placed[0]?.hash ?? ""}`;
    expect(fees).toEqual([{ count: 1 }]);
  });

  it("names the equal payments that it cannot distinguish, and the payments that nobody owes any more", async () => {
    const worker = await setUp();
    await forget(bench);
    const wallet = newAddress();
    const [first, second] = [await enqueuePayment(bench, wallet), await enqueuePayment(bench, wallet)];
    backup = await copyTestDatabase(bench);
    await bench.sql`update transfers set lease_until = clock_timestamp() + interval '1 day', lease_token = gen_random_uuid() where id = ${second.id}`;
    await bench.run(worker, [first.id]);
    const unknown = await enqueuePayment(bench);
    await bench.run(worker, [unknown.id]);
    const [compared] = await compareTreasury(ctxOf(backup));
    expect(compared?.paid).toMatchObject([{ payment: { id: first.id }, others: [{ id: second.id }] }]);
    const { txHash } = await bench.transfer(unknown.id);
    expect(compared?.unexplained.map(({ hash }) => hash)).toEqual([txHash]);
    const listed = await listForeignPayments(ctxOf(backup), compared ? [compared] : []);
    expect(listed.map(({ transferId, partners }) => [transferId, partners.length])).toEqual([
      [first.id, 1],
      [null, 0],
    ]);
    const amount = exactText(unknown.amountBase, unknown.tokenDecimals);
    const whom = { currency: unknown.currency, amount, recipient: unknown.recipient.toLowerCase(), succeeded: true, at: expect.any(Date) };
    expect(listed[1]).toMatchObject({ hash: txHash, ...whom });
  });
});
