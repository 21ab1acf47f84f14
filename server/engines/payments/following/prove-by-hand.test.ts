import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findTransferProof } from "#db/queries/transfers/transfer-proofs.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { bookProof } from "#server/services/treasury/book-proof.ts";
import { findPayment } from "#server/services/treasury/find-payment.ts";
import { readReview } from "#server/services/treasury/read-review.ts";
import { resolveReview } from "#server/services/treasury/resolve-review.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { payByHand } from "#testing/pay-by-hand.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

const order = {
  by: { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null },
  reason: "because of a test",
};
const AMOUNT = 12_345_678n;

let chain: TestChain;
let bench: TransferBench;
const events: string[] = [];
const onFinal: OnFinal = async (_tx, transfers) => void events.push(...transfers.map(({ id, state }) => `${id} ${state}`));

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  events.length = 0;
  await bench.close();
});
afterAll(async () => {
  await chain.stop();
});

/** Payments to one recipient that all went under review: somebody else used the key, and none of our attempts is on the chain. */
async function underReview(count: number): Promise<Transfer[]> {
  bench = await openTransferBench(chain, { confirmations: 1 });
  const worker = bench.newWorker();
  const first = await bench.enqueuePayment({ amountBase: AMOUNT });
  const owed = [first];
  for (let each = 1; each < count; each += 1) owed.push(await bench.enqueuePayment({ recipient: first.recipient, amountBase: AMOUNT }));
  await runTransfersOnce(worker, chain.chain);
  for (const { id } of owed) await chain.call("anvil_dropTransaction", (await bench.transaction(id)).attempts[0]?.hash);
  for (let nonce = 0; nonce < count; nonce += 1) await bench.spendOutside(bench.keys[0] as `0x${string}`, nonce);
  await chain.mine();
  const ids = owed.map(({ id }) => id);
  for (const { state } of await bench.run(worker, ids, 8)) expect(state).toBe("needs_review");
  return owed;
}
const executed = (transferId: string, txHash: string) =>
  resolveReview(bench.ctx, { ...order, transferId, resolution: { outcome: "executed", txHash }, onFinal });
const failed = (transferId: string) =>
  resolveReview(bench.ctx, { ...order, transferId, resolution: { outcome: "failed", reason: "It was not paid." }, onFinal });
const received = (transfer: Transfer) => bench.tokenBalance(transfer.recipient);

async function transferFaults(): Promise<string[]> {
  const report = await auditDatabase(bench.ctx, { without: ["treasury_is_there"] });
  return report.rules.flatMap(({ rule, violations }) =>
    violations.flatMap(({ subject, detail }) => (/transfer|proof|chain/.test(rule) ? [`${rule}: ${subject} ${detail}`] : [])),
  );
}

describe("a manual payment", () => {
  it("proves one transfer, and never another one that is owed the same", async () => {
    const [first, second] = await underReview(2);
    const byHand = await payByHand(chain, first?.recipient ?? "", AMOUNT);
    const outcomes = await Promise.allSettled([executed(first?.id ?? "", byHand), executed(second?.id ?? "", byHand)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const states = await Promise.all([first, second].map(async (one) => (await bench.transfer(one?.id ?? "")).state));
    expect(states.sort()).toEqual(["executed", "needs_review"]);
    expect(events).toHaveLength(1);
    const left = (await bench.transfer(first?.id ?? "")).state === "needs_review" ? first : second;
    await expect(executed(left?.id ?? "", byHand.toUpperCase().replace("0X", "0x"))).rejects.toMatchObject({ code: "invalid_state" });
  });

  it("that holds the same payment twice proves two transfers, each by its own, and no third", async () => {
    const owed = await underReview(3);
    const [first, second, third] = owed;
    const batch = await payByHand(chain, first?.recipient ?? "", AMOUNT, 2);
    await executed(first?.id ?? "", batch);
    await executed(second?.id ?? "", batch);
    await expect(executed(third?.id ?? "", batch)).rejects.toMatchObject({ code: "invalid_state" });
    expect(await received(first as Transfer)).toBe(2n * AMOUNT);
    expect((await findTransferProof(bench.db, second?.id ?? ""))?.logIndex).not.toBe(
      (await findTransferProof(bench.db, first?.id ?? ""))?.logIndex,
    );
    expect(await transferFaults()).toEqual([]);
  });

  it("passes the audit as what it is, with its proof, and no other hash does", async () => {
    const [owed] = await underReview(1);
    const byHand = await payByHand(chain, owed?.recipient ?? "", AMOUNT);
    const done = await executed(owed?.id ?? "", byHand);
    expect(done).toMatchObject({ state: "executed", txHash: byHand, blockHash: expect.any(String), blockNumber: expect.any(Number) });
    expect(await transferFaults()).toEqual([]);
    await bench.sql`update transfers set tx_hash = ${`0x${"ab".repeat(32)}`}, block_hash = null where id = ${owed?.id ?? ""}`;
    const broken = (await transferFaults()).map((fault) => fault.split(":")[0]).sort();
    expect(broken).toEqual(["executed_is_on_the_chain", "proof_proves_its_transfer", "transfer_hash_is_an_attempt"]);
  });

  it("proves nothing that was owed only after it", async () => {
    const [owed] = await underReview(1);
    const byHand = await payByHand(chain, owed?.recipient ?? "", AMOUNT);
    await bench.sql`update transfers set created_at = clock_timestamp() + interval '5 minutes' where id = ${owed?.id ?? ""}`;
    await expect(executed(owed?.id ?? "", byHand)).rejects.toMatchObject({ code: "invalid_state" });
    expect((await bench.transfer(owed?.id ?? "")).state).toBe("needs_review");
  });

  it("restores what the database believes was never sent, once, and passes the audit without a transaction of ours", async () => {
    bench = await openTransferBench(chain, { confirmations: 1 });
    const owed = await bench.enqueuePayment({ amountBase: AMOUNT });
    const twin = await bench.enqueuePayment({ recipient: owed.recipient, amountBase: AMOUNT });
    const payment = await findPayment(bench.ctx, owed, await payByHand(chain, owed.recipient, AMOUNT));
    const restore = (id: string) =>
      bench.db.transaction(async (tx) => {
        const transfer = await findTransfer(tx, id);
        if (transfer === null) throw new Error("no transfer");
        return await bookProof(tx, transfer, { payment, as: "restore", now: await readBusinessNow(tx), onFinal });
      });
    await restore(owed.id);
    await expect(restore(twin.id)).rejects.toMatchObject({ code: "invalid_state" });
    expect(events).toEqual([`${owed.id} executed`]);
    expect(await transferFaults()).toEqual([]);
  });
});

describe("the word that nothing was paid", () => {
  it("is refused while the nonce is not spent: what was signed may still be mined", async () => {
    bench = await openTransferBench(chain, { confirmations: 1 });
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(bench.newWorker(), chain.chain);
    await bench.sql`update transfers set state = 'needs_review', due_at = null, review_reason = 'a node lied' where id = ${owed.id}`;
    expect(await readReview(bench.ctx, owed.id)).toMatchObject({ mayFail: false });
    await expect(failed(owed.id)).rejects.toMatchObject({ code: "invalid_state" });
    await chain.mine();
    expect(await received(owed)).toBe(owed.amountBase);
    await expect(failed(owed.id)).rejects.toMatchObject({ code: "invalid_state" });
  });

  it("is refused while the nonce is spent in a block that may still go away", async () => {
    const [owed] = await underReview(1);
    const deeper = { ...bench.ctx, evm: deeperBy(bench.ctx.evm, 50) };
    const resolution = { outcome: "failed" as const, reason: "It was not paid." };
    await expect(resolveReview(deeper, { ...order, transferId: owed?.id ?? "", resolution, onFinal })).rejects.toMatchObject({
      code: "invalid_state",
    });
    expect(await readReview(bench.ctx, owed?.id ?? "")).toMatchObject({ mayFail: true });
    await failed(owed?.id ?? "");
    expect(events).toEqual([`${owed?.id} failed`]);
  });
});

/** The same chain with a rule that needs more blocks. */
function deeperBy(evm: TransferBench["ctx"]["evm"], more: number): TransferBench["ctx"]["evm"] {
  const list = evm.list().map((one) => ({ ...one, confirmations: one.confirmations + more }));
  return { list: () => list, find: (name) => list.find((one) => one.chain === name) ?? null };
}
