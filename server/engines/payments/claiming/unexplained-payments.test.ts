import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { members } from "#db/schema/members.ts";
import type { By } from "#domain/access.ts";
import type { Transfer } from "#domain/transfer.ts";
import { createTransferEngine, type TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { requestTopup } from "#server/services/fiat/request-topup.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { refusePayment, releasePayment } from "#server/services/holds/decide-hold.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { listProposals } from "#server/services/proposal-decisions/kinds.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { copyTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, type TestPartner } from "#testing/factories.ts";
import { addProvenPerson } from "#testing/people.ts";
import { TEST_PROVIDERS } from "#testing/surface.ts";
import { newAddress, openTransferBench, ownerless, type TransferBench } from "#testing/transfers.ts";

type World = Pick<TestDatabase, "db" | "sql">;
const WORD = { status: "succeeded", reference: "P-1", reason: null } as const;
let chain: TestChain;
let bench: TransferBench;
let backup: TestDatabase;
let partner: TestPartner;
let wallet: string;
let paid: bigint;
let people: By[];

const ctxOf = ({ db }: World) => ({
  ...bench.ctx,
  db,
  chains: bench.ctx.evm,
  mode: "live" as const,
  fiatProviders: TEST_PROVIDERS,
});
const workerOf = (world: World, journal = bench.journal.open()): TransferEngine =>
  createTransferEngine({
    ctx: { ...ctxOf(world), signers: bench.signersOf({ db: world.db, journal, findUnowed: ownerless }) },
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

async function requestIt(world: World, amountMinor: bigint): Promise<string> {
  const memberId = randomUUID();
  const now = new Date();
  const phone = `+2547${String(Math.floor(Math.random() * 1e10)).padStart(10, "0")}`;
  const place = { walletAddress: wallet, chain: chain.chain, createdAt: now, updatedAt: now };
  await world.db.insert(members).values({ id: memberId, partnerId: partner.partnerId, externalUserId: memberId, phone, ...place });
  const { topup } = await requestTopup(ctxOf(world), {
    ...partner,
    externalId: randomUUID(),
    externalUserId: memberId,
    amountMinor,
    currency: "KES",
    destinationCurrency: "USDT",
    chain: chain.chain,
    source: { type: "mobile_money" as const, account: "+254700000000" },
    callbackUrl: null,
  });
  return topup.id;
}

/** The provider says that it has collected the fiat. */
async function collect(world: World, id: string): Promise<Transfer> {
  await takeProviderEvent(ctxOf(world), { provider: TEST_PROVIDERS.current, kind: "topup", orderId: id, word: WORD, body: "{}" });
  const transfer = await findTransferOf(world.db, "topup", id);
  if (transfer === null) throw new Error("nothing is owed");
  return transfer;
}

async function admin(): Promise<By> {
  return (await addProvenPerson(backup.db, "admin")).by;
}

const stateOf = async ({ purpose, ownerId }: Transfer) => (await findTransferOf(backup.db, purpose, ownerId))?.state;
const received = () => bench.tokenBalance(wallet);

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterAll(() => chain.stop());

let topup: string;
let worker: TransferEngine;

/** A top-up is paid, the database goes back to before the provider's word, and two people lift the halt. */
beforeEach(async () => {
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  partner = await addPartner(bench.db);
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  await insertPool(
    bench.db,
    { currency: "KES", totalMinor: 10_000_000n, minimumMinor: 1n, maximumMinor: 10_000_000n, lowWaterMinor: 0n },
    new Date(),
  );
  await passes(workerOf(bench), 2);
  wallet = newAddress();
  topup = await requestIt(bench, 100_000n);
  await bench.letLeasesLapse();
  backup = await copyTestDatabase(bench);
  await collect(bench, topup);
  await passes(workerOf(bench), 8);
  paid = await received();
  expect(paid).toBeGreaterThan(0n);
  worker = workerOf(backup, await bench.journal.lost(backup));
  await passes(worker, 10);
  people = [await admin(), await admin()];
  const [proposer, other] = people;
  if (proposer === undefined || other === undefined) throw new Error("nobody");
  const [halt] = await listOpenHalts(ctxOf(backup));
  const lift = await liftHalt(ctxOf(backup), { by: proposer, haltId: halt?.id ?? "", reason: "compared: it paid nothing that is owed" });
  await confirmProposal(ctxOf(backup), { by: other, id: lift.proposal.id });
});
afterEach(async () => {
  await backup.close();
  await bench.close();
});

const decide = async (transfer: Transfer, decision: "release" | "refuse") => {
  const command = { purpose: transfer.purpose, ownerId: transfer.ownerId, by: people[0] as By, reason: "looked into, with the provider" };
  if (decision === "refuse") return await refusePayment(ctxOf(backup), { ...command, onFinal: completeOwner });
  expect(await releasePayment(ctxOf(backup), command)).toBe(false);
  const [proposal] = (await listProposals(ctxOf(backup))).open;
  await confirmProposal(ctxOf(backup), { by: people[1] as By, id: proposal?.id ?? "" });
};

it("a top-up that the restored database hears of only later waits for people, who refuse it: it is paid once, and later ones are paid", async () => {
  const again = await collect(backup, topup);
  await passes(worker, 10);
  expect([await stateOf(again), await received()]).toEqual(["queued", paid]);
  const [hold] = await listHoldsOf(backup.db, [topup]);
  expect(hold).toMatchObject({
    check: "unexplained_payment",
    outcome: "open",
    reason: expect.stringContaining("already paid this recipient"),
  });
  await decide(again, "refuse");
  const later = await collect(backup, await requestIt(backup, 100_000n));
  await passes(worker, 10);
  expect([await stateOf(again), await stateOf(later)]).toEqual(["failed", "executed"]);
  expect(await received()).toBe(paid + later.amountBase);
});

it("once people have released another payment to that recipient, only payments of exactly the unexplained amount wait", async () => {
  const other = await collect(backup, await requestIt(backup, 50_000n));
  await passes(worker, 6);
  expect(await stateOf(other)).toBe("queued");
  await decide(other, "release");
  const third = await collect(backup, await requestIt(backup, 60_000n));
  const again = await collect(backup, topup);
  await passes(worker, 10);
  expect([await stateOf(other), await stateOf(third), await stateOf(again)]).toEqual(["executed", "executed", "queued"]);
  expect(await received()).toBe(paid + other.amountBase + third.amountBase);
});
