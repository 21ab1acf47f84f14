import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { aboveCapDecision } from "#domain/above-cap.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { TransferEngine, TransferStep } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { Signers } from "#server/ports.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { keepSignature } from "#server/services/proposals/keep-signature.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { aboveCapOf } from "#server/services/transfers/find-above-cap.ts";
import { proposeTreasuryWithdrawal, signTreasuryWithdrawal } from "#server/services/treasury/withdraw-crypto.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { Died, runToDeath } from "#testing/death.ts";
import { addDecidingPerson, type DecidingPerson, passkeys, signDecision } from "#testing/deciding-people.ts";
import { NO_LAPSING_CHAINS } from "#testing/surface.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { derivationOf } from "./derive.ts";

/**
 * Two people sign a payment, and one of them is gone before it is mined. What the signer has released keeps their signatures: a higher fee
 * moves nothing more. All else needs people who are still there.
 */

const UNIT = 1_000_000n;
const clock = { now: () => new Date() };
const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };

let chain: TestChain;
let bench: TransferBench;
let ana: DecidingPerson;
let ben: DecidingPerson;
let vault: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const received = async (recipient: string) => (await bench.tokenBalance(recipient)) / UNIT;
const halts = async () => (await listOpenHalts(bench.ctx)).map(({ cause }) => cause);
const attempts = async () => (await bench.sql`select 1 from transaction_attempts`).length;
const askForMore = async ({ id }: Transfer) => await bench.sql`update transfers set bump_requested_at = clock_timestamp() where id = ${id}`;
const workerWith = (signers: Signers, observe?: (step: TransferStep) => void): TransferEngine =>
  bench.newWorker({ ctx: { ...bench.ctx, db: processOf(bench.db, "worker"), signers }, ...(observe && { observe }) });

/** How a signature ends with its person. */
const ENDS: [string, () => Promise<unknown>][] = [
  ["is no admin any more", async () => await bench.sql`update users set role = 'viewer' where id = ${ben.id}`],
  ["has removed the passkey", async () => await bench.sql`delete from passkeys where user_id = ${ben.id}`],
];

describe("a treasury withdrawal of which a signer", () => {
  /** As after a restart: it remembers nothing but its journal. */
  const newSigners = (more: Parameters<TransferBench["signersOf"]>[0] = {}) => {
    const policy = { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 };
    return bench.signersOf({ findUnowed: derivationOf({ passkeys, policy, mode: "sandbox", clock }), ...more });
  };
  let owed: Transfer;

  beforeEach(async () => {
    vault = newAddress();
    bench = await openTransferBench(chain, { onFinal: completeOwner, treasuryDestinations: [vault] });
    [ana, ben] = [await addDecidingPerson(bench.db), await addDecidingPerson(bench.db)];
    await bench.run(workerWith(newSigners()), [], 1);
    await chain.mine(4);
    await keepTreasuryOpen(bench.ctx).run();
    await bench.letLeasesLapse();
    const web = {
      db: processOf(bench.db, "web"),
      passkeys,
      mode: "sandbox" as const,
      clock,
      evm: bench.ctx.evm,
      lapsing: NO_LAPSING_CHAINS,
    };
    const what = { walletAddress: bench.addresses[0] ?? "", currency: "USDT", amountBase: 10n * UNIT, recipient: vault };
    const { id } = await proposeTreasuryWithdrawal(web, { by: ana.by, reason: "To cold storage", chain: chain.chain, ...what });
    for (const person of [ana, ben]) {
      const asked: unknown = await signTreasuryWithdrawal(web, { by: person.by, id }).catch((refusal: unknown) => refusal);
      const decision = isRefusal(asked) ? asked.particulars.decision : undefined;
      if (decision === undefined) throw asked;
      await signTreasuryWithdrawal(web, { by: { ...person.by, signature: await signDecision(bench.db, person, decision) }, id });
    }
    const found = await findTransferOf(bench.db, "treasury_withdrawal", id);
    if (found === null) throw new Error("nothing is owed");
    owed = found;
  });

  it.each(ENDS)("%s gets its higher fee, and is paid once", async (_how, end) => {
    await runTransfersOnce(workerWith(newSigners()), chain.chain);
    expect([await attempts(), await received(vault)]).toEqual([1, 0n]);
    await end();
    await askForMore(owed);
    await bench.letLeasesLapse();
    const worker = workerWith(newSigners());
    await runTransfersOnce(worker, chain.chain);
    expect([await attempts(), await halts()]).toEqual([2, []]);
    const [ended] = await bench.run(worker, [owed.id]);
    expect([ended?.state, await received(vault), await halts()]).toEqual(["executed", 10n, []]);
  });

  it.each(ENDS)("%s has its higher fee opened by another signer than the one that signed it", async (_how, end) => {
    await runTransfersOnce(workerWith(newSigners()), chain.chain);
    await end();
    await askForMore(owed);
    await bench.letLeasesLapse();
    const dying = workerWith(newSigners(), (step) => {
      if (step === "bump_stored") throw new Died(step);
    });
    expect(await runToDeath(dying, chain, 1)).toBe(true);
    await bench.letLeasesLapse();
    const [ended] = await bench.run(workerWith(newSigners()), [owed.id]);
    const sent = await bench.sql`select 1 from transaction_attempts where broadcast_at is not null`;
    expect([sent.length, ended?.state, await received(vault), await halts()]).toEqual([2, "executed", 10n, []]);
  });

  it.each(ENDS.slice(0, 1))("%s is signed under no other nonce, not even next to its own", async (_how, end) => {
    await runTransfersOnce(workerWith(newSigners()), chain.chain);
    await end();
    const orders = [0, 1, 0].map((nonce) => ({ of: { transferId: owed.id }, kind: "payment" as const, nonce, gasLimit: 100_000n, fees }));
    const answers = await newSigners().sign({ chain: chain.chain, wallet: bench.addresses[0] ?? "", orders });
    const refused = { outcome: "refused", kind: "unowed", reason: expect.stringContaining("1 of 2 admins have signed it") };
    expect(answers).toMatchObject([{ outcome: "signed" }, refused, { outcome: "signed" }]);
  });

  it.each(ENDS.slice(0, 1))("%s stays unpaid where it was signed and never released", async (_how, end) => {
    const dying = workerWith(newSigners(), (step) => {
      if (step === "stored") throw new Died(step);
    });
    expect(await runToDeath(dying, chain, 1)).toBe(true);
    await end();
    await bench.letLeasesLapse();
    await bench.run(workerWith(newSigners()), [owed.id], 4);
    expect([await attempts(), await received(vault), await halts()]).toEqual([1, 0n, ["unowed_payment"]]);
  });

  it.each(ENDS.slice(0, 1))(
    "%s gets none on the word of the database alone: that journal was begun with what the database says",
    async (_how, end) => {
      await runTransfersOnce(workerWith(newSigners()), chain.chain);
      const signers = newSigners({ journal: await bench.journal.lost(bench) });
      await runTransfersOnce(workerWith(signers), chain.chain);
      expect((await signers.readJournal(chain.chain)).marks).toMatchObject([{ mark: 0 }]);
      await end();
      const order = { of: { transferId: owed.id }, kind: "payment" as const, nonce: 0, gasLimit: 100_000n, fees };
      const answers = await signers.sign({ chain: chain.chain, wallet: bench.addresses[0] ?? "", orders: [order] });
      expect(answers).toMatchObject([{ outcome: "refused", kind: "unowed" }]);
    },
  );

  it.each(ENDS.slice(0, 1))("%s gets none for what was changed since: another amount is not what was released", async (_how, end) => {
    await runTransfersOnce(workerWith(newSigners()), chain.chain);
    await end();
    const owner = openDatabase({ url: bench.url, applicationName: "forger", maxConnections: 1 });
    for (const table of ["transfers", "treasury_withdrawals"]) await owner.sql`alter table ${owner.sql(table)} disable trigger user`;
    await owner.sql`update transfers set amount_base = 11000000 where id = ${owed.id}`;
    await owner.sql`update treasury_withdrawals set amount_base = 11000000 where id = ${owed.ownerId}`;
    await owner.close();
    const order = { of: { transferId: owed.id }, kind: "payment" as const, nonce: 0, gasLimit: 100_000n, fees };
    const answers = await newSigners().sign({ chain: chain.chain, wallet: bench.addresses[0] ?? "", orders: [order] });
    expect(answers).toMatchObject([{ outcome: "refused", kind: "unowed", reason: expect.stringContaining("0 of 2") }]);
  });
});

describe("a payment above a cap of which a signer", () => {
  it.each(ENDS)("%s gets its higher fee, and is paid once", async (_how, end) => {
    bench = await openTransferBench(chain);
    [ana, ben] = [await addDecidingPerson(bench.db), await addDecidingPerson(bench.db)];
    const caps = [{ chain: chain.chain, token: chain.tokens.USDT, currency: "USDT", hourBase: 5n * UNIT, dayBase: null }];
    const newSigners = () => bench.signersOf({ caps, findAboveCap: aboveCapOf({ passkeys, mode: "sandbox", clock }) });
    const owed = await bench.enqueuePayment({ amountBase: 10n * UNIT });
    const decision = aboveCapDecision(owed, "hour");
    for (const person of [ana, ben]) {
      const by = { ...person.by, signature: await signDecision(bench.db, person, decision) };
      await keepSignature({ db: bench.db, mode: "sandbox", clock }, { by, objectId: owed.id, decision });
    }
    await runTransfersOnce(workerWith(newSigners()), chain.chain);
    expect([await attempts(), await received(owed.recipient)]).toEqual([1, 0n]);
    await end();
    await askForMore(owed);
    await bench.letLeasesLapse();
    const worker = workerWith(newSigners());
    await runTransfersOnce(worker, chain.chain);
    expect([await attempts(), await halts()]).toEqual([2, []]);
    const [ended] = await bench.run(worker, [owed.id]);
    expect([ended?.state, await received(owed.recipient), await halts()]).toEqual(["executed", 10n, []]);
  });
});
