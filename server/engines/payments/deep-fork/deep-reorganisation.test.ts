import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listHistory } from "#db/queries/settlements/settlement-story.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { findAnsweringNode } from "#server/services/ledger/answering-chain.ts";
import { auditChain } from "#server/services/ledger/audit-chain.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  bench = await openTransferBench(chain, { confirmations: 2 });
  return () => bench.close();
});
afterAll(async () => {
  await chain.stop();
});

async function violations(): Promise<string[]> {
  const info = bench.ctx.evm.find(chain.chain);
  const answering = info && (await findAnsweringNode(info));
  if (!answering) throw new Error("no node answers");
  const found = await auditChain(bench.ctx, answering, { scope: null, endedSince: null });
  return found.flatMap(({ violations: each }) => each.map(({ detail }) => detail));
}

const orphaned = async () => (await bench.sql`select id from transfers where adrift_since is not null`).map(({ id }) => String(id));

/** Two payments executed, with different recipients, and then the chain without the blocks that they were in. */
async function executedAndDropped() {
  const worker = bench.newWorker();
  await runTransfersOnce(worker, chain.chain);
  const snapshot = await chain.call("evm_snapshot");
  const owed = [await bench.enqueuePayment(), await bench.enqueuePayment()];
  const ids = owed.map(({ id }) => id);
  await bench.run(worker, ids);
  await chain.call("evm_revert", snapshot);
  for (const { recipient } of owed) expect(await bench.tokenBalance(recipient)).toBe(0n);
  return { worker, owed, ids };
}

/** Passes and blocks, without anything new that is owed. */
async function idle(worker: Awaited<ReturnType<typeof executedAndDropped>>["worker"], passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

describe("a reorganisation deeper than the confirmations", () => {
  it("brings back what it dropped, the same bytes, without waiting for anything new; the audit is clean afterwards", async () => {
    const { worker, owed, ids } = await executedAndDropped();
    const before = await Promise.all(ids.map((id) => bench.transaction(id)));
    await idle(worker, 14);
    for (const [index, { id, recipient, amountBase }] of owed.entries()) {
      const after = await bench.transaction(id);
      expect(after.transfer).toMatchObject({ state: "executed", txHash: before[index]?.transfer.txHash, waitingReason: null });
      expect(after.transfer.blockHash).not.toBe(before[index]?.transfer.blockHash);
      expect(after.attempts).toHaveLength(1);
      expect(await bench.tokenBalance(recipient)).toBe(amountBase);
      expect(await bench.finals(id)).toBe(1);
    }
    expect(await orphaned()).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it("brings back what was in blocks below all that are recorded, which a leap to the head has left unread", async () => {
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const snapshot = await chain.call("evm_snapshot");
    const owed = await bench.enqueuePayment();
    await bench.run(worker, [owed.id]);
    const { blockNumber } = await bench.transfer(owed.id);
    await idle(worker, 3);
    await bench.sql`delete from chain_cursors where chain = ${chain.chain} and height <= ${blockNumber}`;
    await chain.call("evm_revert", snapshot);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
    await chain.mine(8);
    await idle(worker, 14);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed", waitingReason: null });
    expect(await orphaned()).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it("halts the wallet where somebody else with its key was faster: what is orphaned waits for people, and nothing is signed", async () => {
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const snapshot = await chain.call("evm_snapshot");
    const paid = await bench.enqueuePayment();
    await bench.run(worker, [paid.id]);
    await chain.call("evm_revert", snapshot);
    const hash = await bench.spendOutside(bench.keys[0] ?? "0x", 0);
    await chain.mine();
    await idle(worker, 14);
    expect(await listOpenHalts(bench.ctx)).toMatchObject([{ cause: "foreign_nonce", evidence: { transactions: [{ nonce: 0, hash }] } }]);
    expect(await orphaned()).toEqual([paid.id]);
    const later = await bench.enqueuePayment();
    await idle(worker, 4);
    expect(await bench.transfer(later.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("Halted") });
  });

  it("halts the wallet where the chain mines a payment again without effect: once, and nothing is reported as paid a second time", async () => {
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const snapshot = await chain.call("evm_snapshot");
    const paid = await bench.enqueuePayment();
    await bench.run(worker, [paid.id]);
    const { attempts, transfer: before } = await bench.transaction(paid.id);
    const [attempt] = attempts;
    await chain.call("evm_revert", snapshot);
    await chain.callToken("pause()");
    await chain.mine();
    await chain.call("eth_sendRawTransaction", attempt?.rawBytes);
    await chain.mine();
    await chain.callToken("unpause()");
    await idle(worker, 14);
    const [halt] = await listOpenHalts(bench.ctx);
    expect(halt).toMatchObject({ cause: "unpaid_after_reorg", evidence: { transfer_id: paid.id, nonce: 0, hash: attempt?.hash } });
    expect(await orphaned()).toEqual([paid.id]);
    expect(await bench.transfer(paid.id)).toMatchObject({ state: "executed", blockHash: before.blockHash });
    expect(await bench.tokenBalance(paid.recipient)).toBe(0n);
    expect(await bench.finals(paid.id)).toBe(1);
    const by = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null };
    await liftHalt({ ...bench.ctx, mode: "sandbox" }, { by, reason: "because of a test", haltId: halt?.id ?? "" });
    const later = await bench.enqueuePayment();
    await bench.run(worker, [later.id]);
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    expect(await bench.tokenBalance(later.recipient)).toBe(later.amountBase);
  });

  it("is in the history of what was paid: that it vanished, and that it is final again", async () => {
    const { worker, owed } = await executedAndDropped();
    await idle(worker, 14);
    for (const { ownerId } of owed) {
      const history = await listHistory(bench.db, [ownerId]);
      expect(history.map(({ action }) => action)).toEqual(["transfer.vanished", "transfer.restored"]);
      expect(history.map(({ reason }) => reason)).toEqual([expect.stringContaining("sent again"), expect.stringContaining("final again")]);
      expect(await listHistory(bench.db, [ownerId], "00000000-0000-4000-8000-000000000000")).toEqual([]);
    }
  });

  it("leaves what it owes promised until it is on the chain again: nothing else takes the money", async () => {
    const { worker, ids } = await executedAndDropped();
    while ((await orphaned()).length === 0) {
      await chain.mine();
      await runTransfersOnce(worker, chain.chain);
    }
    expect((await orphaned()).toSorted()).toEqual(ids.toSorted());
    const more = await bench.enqueuePayment({ amountBase: 1_000_000_000_000n - 2n * 12_345_678n + 1n });
    await runTransfersOnce(worker, chain.chain);
    expect(await bench.transfer(more.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("not promised yet") });
    await idle(worker, 14);
    expect(await orphaned()).toEqual([]);
    expect(await bench.transfer(more.id)).toMatchObject({ state: "queued" });
  });

  it("brings back also what another worker was just ending in a block that is gone", async () => {
    const { worker, owed, ids } = await executedAndDropped();
    const [id = ""] = ids;
    await bench.sql`update transfers set state = 'mined', executed_at = null, due_at = now() + interval '1 hour' where id = ${id}`;
    const waits = async () => (await bench.sql`select 1 from pg_locks where not granted`).length > 0;
    const ending = bench.sql.begin(async (tx) => {
      await tx`update transfers set state = 'executed', executed_at = updated_at, due_at = null where id = ${id}`;
      for (const until = Date.now() + 60_000; !(await waits()); await sleep(20)) expect(Date.now()).toBeLessThan(until);
    });
    const rewinding = (async () => {
      while ((await orphaned()).length === 0) {
        await chain.mine();
        await runTransfersOnce(worker, chain.chain);
      }
    })();
    await Promise.all([ending, rewinding]);
    expect((await orphaned()).toSorted()).toEqual(ids.toSorted());
    await idle(worker, 14);
    for (const { recipient, amountBase } of owed) expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    expect(await orphaned()).toEqual([]);
  });

  it("locks what it brings back and what it sets orphaned in one order, as everybody who locks more than one does", async () => {
    const { worker, ids } = await executedAndDropped();
    const [first = "", second = ""] = ids.toSorted();
    await bench.sql`update transfers set state = 'mined', executed_at = null, due_at = now() + interval '1 hour' where id = ${second}`;
    const waits = async () => (await bench.sql`select 1 from pg_locks where not granted`).length > 0;
    const another = bench.sql.begin(async (tx) => {
      await tx`select id from transfers where id = ${first} for update`;
      for (const until = Date.now() + 60_000; !(await waits()); await sleep(20)) expect(Date.now()).toBeLessThan(until);
      return await tx`select id from transfers where id = ${second} for update nowait`;
    });
    const rewinding = (async () => {
      while ((await orphaned()).length === 0) {
        await chain.mine();
        await runTransfersOnce(worker, chain.chain);
      }
    })();
    const [locked] = await Promise.all([another, rewinding]);
    expect(locked).toHaveLength(1);
    expect(await orphaned()).toEqual([first]);
    expect(await bench.transfer(second)).toMatchObject({ state: "broadcast" });
  });
});
