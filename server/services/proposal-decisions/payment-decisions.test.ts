import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import type { By } from "#domain/access.ts";
import type { Check, Finding } from "#domain/payment-check.ts";
import type { Transfer } from "#domain/transfer.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { releasePayment } from "#server/services/holds/decide-hold.ts";
import { keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { proposePoolFunding } from "#server/services/ledger/fund-pool.ts";
import { readPools } from "#server/services/ledger/read-books.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { cancelTransfer } from "#server/services/treasury/cancel-transfer.ts";
import { changeWalletState } from "#server/services/treasury/change-wallet-state.ts";
import { readTreasury } from "#server/services/treasury/read-treasury.ts";
import { resolveReview } from "#server/services/treasury/resolve-review.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { liftHalts } from "#testing/halts.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { payByHand } from "#testing/pay-by-hand.ts";
import { addOperatorKey, addProvenPerson, refusalOf } from "#testing/people.ts";
import { newAddress } from "#testing/transfers.ts";
import { confirmProposal } from "./decide-proposal.ts";
import { listProposals } from "./kinds.ts";

/** In live mode two people decide about a payment. Nothing changes before the second one confirms it. */

const reason = "Looked into with the partner.";
let chain: TestChain;
let stage: MoneyStage;
let ana: By;
let ben: By;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  stage = await openMoneyStage(chain, { partners: 1 });
  ana = (await addProvenPerson(stage.db, "admin")).by;
  ben = (await addProvenPerson(stage.db, "admin")).by;
  return () => stage.close();
});
afterAll(() => chain.stop());

const live = () => ({ ...stage.powers, mode: "live" as const });
const stateOf = async ({ id }: Transfer) => (await stage.transfer(id)).state;
const statusOf = async ({ ownerId }: Transfer) => (await findSettlement(stage.db, ownerId))?.status;

/** A confirmed settlement's payment, in no block yet. */
async function owed(): Promise<Transfer> {
  const [partner] = stage.partners;
  if (partner === undefined) throw new Error("the stage has no partner");
  const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() });
  await stage.confirm(partner, id);
  const [row] = await stage.sql`select id from transfers where owner_id = ${id}`;
  return await stage.transfer(String(row?.id));
}

/** Ana cannot confirm what she proposed; Ben can, once. */
async function confirmAsBen(kind: string): Promise<void> {
  const { open } = await listProposals(live());
  expect(open).toMatchObject([{ kind, reason }]);
  const [{ id } = { id: "" }] = open;
  expect(await refusalOf(confirmProposal(live(), { by: ana, id }))).toBe("same_approver");
  await confirmProposal(live(), { by: ben, id });
  expect(await refusalOf(confirmProposal(live(), { by: ben, id }))).toBe("invalid_state");
}

async function underReview() {
  const worker = stage.newTransfers();
  const payment = await owed();
  await runTransfersOnce(worker, chain.chain);
  await chain.call("anvil_dropTransaction", (await stage.transaction(payment.id)).attempts[0]?.hash);
  await stage.spendOutside(stage.keys[0] as `0x${string}`, (await stage.transaction(payment.id)).nonce);
  await chain.mine();
  const [reviewed] = await stage.run(worker, [payment.id], 10);
  expect(reviewed?.state).toBe("needs_review");
  return { worker, payment };
}

describe("the result of a payment under review", () => {
  it("is decided by two people: until then it is neither failed nor paid again", async () => {
    const { payment } = await underReview();
    const resolution = { outcome: "failed" as const, reason: "The payment was not made." };
    const decide = () => resolveReview(live(), { by: ana, reason, transferId: payment.id, resolution, onFinal: completeOwner });
    expect(await decide()).toBeNull();
    expect(await refusalOf(decide())).toBe("conflict");
    expect([await stateOf(payment), await statusOf(payment)]).toEqual(["needs_review", "processing"]);
    await confirmAsBen("transfer_resolution");
    expect([await stateOf(payment), await statusOf(payment)]).toEqual(["failed", "failed"]);
  });

  it("is asked of the chain again when the second person confirms it: what has been paid meanwhile does not fail, and is not paid again", async () => {
    const { worker, payment } = await underReview();
    const order = { by: ana, reason, transferId: payment.id, onFinal: completeOwner };
    expect(await resolveReview(live(), { ...order, resolution: { outcome: "retry" } })).toBeNull();
    const paidByHand = await payByHand(chain, payment.recipient, payment.amountBase);
    await chain.mine(5);
    await resolveReview(stage.powers, { ...order, resolution: { outcome: "executed", txHash: paidByHand } });
    const [{ id } = { id: "" }] = (await listProposals(live())).open;
    expect(await refusalOf(confirmProposal(live(), { by: ben, id }))).toBe("invalid_state");
    await liftHalts(stage.sql);
    await stage.run(worker, [payment.id], 6);
    expect(await stateOf(payment)).toBe("executed");
    expect(await stage.tokenBalance(payment.recipient)).toBe(payment.amountBase);
  });

  it("needs one person where the worker only looks again", async () => {
    const { payment } = await underReview();
    const order = { by: ana, reason, transferId: payment.id, onFinal: completeOwner };
    expect(await resolveReview(live(), { ...order, resolution: { outcome: "resume" } })).toMatchObject({ state: "broadcast" });
    expect((await listProposals(live())).open).toEqual([]);
  });
});

it("a payment is cancelled by two people: it is still paid if the second one comes too late", async () => {
  const [first, second] = [await owed(), await owed()];
  const cancel = (payment: Transfer) => cancelTransfer(live(), { by: ana, reason, transferId: payment.id, onFinal: completeOwner });
  expect(await cancel(first)).toBeNull();
  expect([await stateOf(first), await statusOf(first)]).toEqual(["queued", "processing"]);
  await confirmAsBen("transfer_cancellation");
  expect([await stateOf(first), await statusOf(first)]).toEqual(["failed", "failed"]);
  expect(await cancel(second)).toBeNull();
  await stage.run(stage.newTransfers(), [second.id]);
  const [{ id } = { id: "" }] = (await listProposals(live())).open;
  expect(await refusalOf(confirmProposal(live(), { by: ben, id }))).toBe("invalid_state");
  expect([await stateOf(second), await statusOf(second)]).toEqual(["executed", "executed"]);
  expect(await stage.tokenBalance(first.recipient)).toBe(0n);
  expect(await stage.tokenBalance(second.recipient)).toBe(second.amountBase);
});

it("a wallet leaves service by one person's word, and signs again by two", async () => {
  const [wallet] = (await readTreasury(stage.ctx)).wallets;
  const become = (state: "draining" | "active") => changeWalletState(live(), { by: ana, reason, walletId: wallet?.id ?? "", state });
  const payment = await owed();
  expect(await become("draining")).toMatchObject({ state: "draining" });
  const worker = stage.newTransfers();
  expect(await become("active")).toBeNull();
  await stage.run(worker, [payment.id], 2);
  expect(await stateOf(payment)).toBe("queued");
  await confirmAsBen("wallet_activation");
  await stage.run(worker, [payment.id]);
  expect(await stage.tokenBalance(payment.recipient)).toBe(payment.amountBase);
});

describe("a held payment", () => {
  const hold = async (payment: Transfer, check: Check) => {
    const finding: Finding = { key: check, version: "1", outcome: "hold", dryRun: false, words: `Held by ${check}.`, facts: {} };
    const verdicts = [{ check, stage: "confirm" as const, findings: [finding] }];
    await stage.db.transaction(async (tx) =>
      keepVerdicts(tx, [{ ...payment, verdicts, holds: await listHoldsOf(tx, [payment.ownerId]) }], new Date()),
    );
  };
  const release = (payment: Transfer, by = ana) =>
    releasePayment(live(), { by, reason, purpose: payment.purpose, ownerId: payment.ownerId });

  it("is released by two people, never by a key: nothing is signed before", async () => {
    const payment = await owed();
    await hold(payment, "limit");
    expect(await refusalOf(release(payment, await addOperatorKey(stage.db, null)))).toBe("person_required");
    expect(await release(payment)).toBe(false);
    const worker = stage.newTransfers();
    await stage.run(worker, [payment.id], 2);
    expect(await stateOf(payment)).toBe("queued");
    await confirmAsBen("payment_release");
    await stage.run(worker, [payment.id]);
    expect(await stage.tokenBalance(payment.recipient)).toBe(payment.amountBase);
  });

  it("is not released from a hold that the proposal does not name", async () => {
    const payment = await owed();
    await hold(payment, "limit");
    expect(await release(payment)).toBe(false);
    await hold(payment, "screening");
    const [{ id } = { id: "" }] = (await listProposals(live())).open;
    expect(await refusalOf(confirmProposal(live(), { by: ben, id }))).toBe("invalid_state");
    await stage.run(stage.newTransfers(), [payment.id], 2);
    expect(await stateOf(payment)).toBe("queued");
    expect(await stage.tokenBalance(payment.recipient)).toBe(0n);
  });
});

it("money comes into a pool's books by two people, once for each reference", async () => {
  const total = async () => (await readPools(stage.powers)).find(({ currency }) => currency === "KES")?.totalMinor;
  const before = await total();
  const fund = (currency = "KES") => proposePoolFunding(live(), { by: ana, reason, currency, amountMinor: 5_000n, reference: "bank-1" });
  expect(await refusalOf(fund("UGX"))).toBe("not_found");
  expect(await fund()).toBeNull();
  expect(await total()).toBe(before);
  await confirmAsBen("pool_funding");
  expect(await total()).toBe((before ?? 0n) + 5_000n);
  expect(await fund()).toBeNull();
  const [{ id } = { id: "" }] = (await listProposals(live())).open;
  expect((await confirmProposal(live(), { by: ben, id })).result).toBe(false);
  expect(await total()).toBe((before ?? 0n) + 5_000n);
});
