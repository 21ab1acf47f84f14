import { type Hex, parseTransaction } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "#domain/refusal.ts";
import { orderHalt } from "#server/services/halts/halt-scope.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { bumpTransfer } from "#server/services/treasury/bump-transfer.ts";
import { cancelTransfer } from "#server/services/treasury/cancel-transfer.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { readReview } from "#server/services/treasury/read-review.ts";
import { readTreasury } from "#server/services/treasury/read-treasury.ts";
import { resolveReview } from "#server/services/treasury/resolve-review.ts";
import { withdrawCancellation } from "#server/services/treasury/withdraw-cancellation.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { liftHalts } from "#testing/halts.ts";
import { payByHand } from "#testing/pay-by-hand.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { paymentDuties } from "./duties.ts";
import type { TransferEngine } from "./engine.ts";
import { runTransfersOnce } from "./run-transfers.ts";

const order = {
  by: { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null },
  reason: "because of a test",
};

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

async function setUp(options?: BenchOptions) {
  bench = await openTransferBench(chain, options);
  return bench.newWorker();
}

describe("cancelling", () => {
  it("ends at once what is queued, and its owner with it", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal });
    await bench.run(worker, [owed.id], 2);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "failed",
      failureReason: expect.stringContaining("cancelled"),
      txHash: null,
    });
    expect(events).toEqual([`${owed.id} failed`]);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
  });

  it("sends an empty transaction under the same nonce for what is on its way; once that is final it failed, with nothing paid", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal });
    await cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal });
    const [failed] = await bench.run(worker, [owed.id]);
    expect(failed).toMatchObject({ state: "failed", failureReason: expect.stringContaining("cancelled") });
    const { attempts } = await bench.transaction(owed.id);
    expect(attempts.map(({ kind }) => kind)).toEqual(["payment", "cancellation"]);
    expect(failed?.txHash).toBe(attempts[1]?.hash);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
    expect(await bench.finals(owed.id)).toBe(1);
    const next = await bench.enqueuePayment();
    await bench.run(worker, [next.id]);
    expect(await bench.tokenBalance(next.recipient)).toBe(next.amountBase);
  });

  it("loses against the payment where the chain mined that first", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
    await cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal });
    const [done] = await bench.run(worker, [owed.id]);
    expect(done?.state).toBe("executed");
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
  });

  it("is signed with the gas that an empty transfer takes there, where that is more than 21,000", async () => {
    const node = await startRpcProxy(chain.rpcUrl, (method, params) => {
      const isShort = method === "eth_sendRawTransaction" && (parseTransaction(params[0] as Hex).gas ?? 0n) < 45_000n;
      if (isShort) return { error: { code: -32000, message: "intrinsic gas too low" } };
      const isEmpty = method === "eth_estimateGas" && !("data" in (params[0] as object));
      return isEmpty ? { result: "0xafc8" } : "pass";
    });
    try {
      const worker = await setUp({ rpcUrls: [node.url] });
      const owed = await bench.enqueuePayment();
      await runTransfersOnce(worker, chain.chain);
      await chain.call("anvil_dropTransaction", (await bench.transaction(owed.id)).attempts.at(-1)?.hash);
      await cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal });
      const behind = await bench.enqueuePayment();
      const [failed, paid] = await bench.run(worker, [owed.id, behind.id]);
      expect([failed?.state, paid?.state]).toEqual(["failed", "executed"]);
    } finally {
      await node.stop();
    }
  });

  describe("that no node takes", () => {
    let node: RpcProxy;
    const refused = new Set<string>();
    const refusing = async (): Promise<TransferEngine> => {
      refused.clear();
      node = await startRpcProxy(chain.rpcUrl, (method, params) => {
        const isCancellation = method === "eth_sendRawTransaction" && (parseTransaction(params[0] as Hex).data ?? "0x") === "0x";
        if (isCancellation) refused.add(String(params[0]));
        return isCancellation ? { error: { code: -32000, message: "not today" } } : "pass";
      });
      return await setUp({ rpcUrls: [node.url] });
    };
    afterEach(() => node.stop());

    it("never displaces the payment: its own bytes go on being sent, and what is behind it is paid", async () => {
      const worker = await refusing();
      const owed = await bench.enqueuePayment();
      await runTransfersOnce(worker, chain.chain);
      await chain.call("anvil_dropTransaction", (await bench.transaction(owed.id)).attempts.at(-1)?.hash);
      await cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal });
      const behind = await bench.enqueuePayment();
      const done = await bench.run(worker, [owed.id, behind.id]);
      expect(refused.size).toBeGreaterThan(0);
      expect(done.map(({ state }) => state)).toEqual(["executed", "executed"]);
      expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    });

    it("can be withdrawn: the very payment is offered again under its nonce, above the cancellation's fee", async () => {
      const worker = await refusing();
      const owed = await bench.enqueuePayment();
      await runTransfersOnce(worker, chain.chain);
      const withdrawn = { ...order, transferId: owed.id };
      await expect(withdrawCancellation(bench.ctx, withdrawn)).rejects.toMatchObject({ code: "invalid_state" });
      await cancelTransfer(bench.ctx, { ...withdrawn, onFinal });
      await runTransfersOnce(worker, chain.chain);
      await withdrawCancellation(bench.ctx, withdrawn);
      await runTransfersOnce(worker, chain.chain);
      const { attempts, nonce } = await bench.transaction(owed.id);
      expect(attempts.map(({ kind }) => kind)).toEqual(["payment", "cancellation", "payment"]);
      expect(attempts[2]?.maxFeePerGas).toBeGreaterThan(attempts[1]?.maxFeePerGas ?? 0n);
      const [done] = await bench.run(worker, [owed.id]);
      expect(done).toMatchObject({ state: "executed", txHash: attempts[2]?.hash, cancelRequestedAt: null });
      expect((await bench.transaction(owed.id)).nonce).toBe(nonce);
      expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
      await expect(withdrawCancellation(bench.ctx, withdrawn)).rejects.toMatchObject({ code: "invalid_state" });
    });
  });

  it("is refused once it is in a block, and for what does not exist", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await bench.run(worker, [owed.id], 2);
    await expect(cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal })).rejects.toMatchObject({ code: "invalid_state" });
    await expect(cancelTransfer(bench.ctx, { ...order, transferId: "tr_none", onFinal })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("bumping", () => {
  it("offers the same payment at a higher fee now, once per wish", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await bumpTransfer(bench.ctx, { ...order, transferId: owed.id });
    await runTransfersOnce(worker, chain.chain);
    await runTransfersOnce(worker, chain.chain);
    const { attempts } = await bench.transaction(owed.id);
    expect(attempts.map(({ kind }) => kind)).toEqual(["payment", "payment"]);
    const [done] = await bench.run(worker, [owed.id]);
    expect(done).toMatchObject({ state: "executed", txHash: attempts[1]?.hash });
    await expect(bumpTransfer(bench.ctx, { ...order, transferId: owed.id })).rejects.toBeInstanceOf(Refusal);
  });
});

describe("a wallet that a person stops", () => {
  it("signs nothing new, finishes what it began, and goes on when that is lifted", async () => {
    const worker = await setUp();
    const began = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    const [wallet] = (await readTreasury(bench.ctx)).wallets;
    const scope = { kind: "wallet" as const, key: wallet?.id ?? "" };
    const halt = await orderHalt({ ...bench.ctx, chains: bench.ctx.evm }, { ...order, scope });
    const later = await bench.enqueuePayment();
    await bench.run(worker, [began.id]);
    expect((await bench.transfer(began.id)).state).toBe("executed");
    expect(await bench.transfer(later.id)).toMatchObject({ state: "queued", waitingReason: "Halted: stopped by an operator." });
    await liftHalt({ ...bench.ctx, mode: "sandbox" }, { ...order, haltId: halt.id });
    await bench.run(worker, [later.id]);
    expect((await bench.transfer(later.id)).state).toBe("executed");
  });
});

describe("a worker that ends in order", () => {
  it("gives its wallets back, so that the next one need not wait", async () => {
    const worker = await setUp();
    await runTransfersOnce(worker, chain.chain);
    const owed = await bench.enqueuePayment();
    const next = bench.newWorker();
    await runTransfersOnce(next, chain.chain);
    expect((await bench.transfer(owed.id)).state).toBe("queued");
    for (const duty of paymentDuties(worker)) await duty.drain?.();
    await runTransfersOnce(next, chain.chain);
    expect((await bench.transfer(owed.id)).state).toBe("broadcast");
  });
});

describe("a transfer under review", () => {
  async function underReview() {
    const worker = await setUp({ confirmations: 1 });
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    const raw = (await bench.transaction(owed.id)).attempts[0]?.rawBytes;
    await chain.call("anvil_dropTransaction", (await bench.transaction(owed.id)).attempts[0]?.hash);
    await bench.spendOutside(bench.keys[0] as `0x${string}`, 0);
    await chain.mine();
    const [reviewed] = await bench.run(worker, [owed.id], 8);
    expect(reviewed?.state).toBe("needs_review");
    return { worker, owed, raw };
  }

  it("fails on an operator's word when nothing of ours is on the chain", async () => {
    const { owed } = await underReview();
    const resolution = { outcome: "failed" as const, reason: "The payment was not made." };
    await resolveReview(bench.ctx, { ...order, transferId: owed.id, resolution, onFinal });
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "failed", failureReason: "The payment was not made." });
    expect(events).toEqual([`${owed.id} failed`]);
    await expect(resolveReview(bench.ctx, { ...order, transferId: owed.id, resolution, onFinal })).rejects.toMatchObject({
      code: "invalid_state",
    });
  });

  it("is executed only by a final transaction that shows the payment", async () => {
    const { worker, owed } = await underReview();
    const resolve = (txHash: string) =>
      resolveReview(bench.ctx, { ...order, transferId: owed.id, resolution: { outcome: "executed", txHash }, onFinal });
    await expect(resolve(`0x${"12".repeat(32)}`)).rejects.toMatchObject({ code: "invalid_state" });
    // Another transfer's transaction does not prove this one, however alike the two are.
    const twin = await bench.enqueuePayment({ recipient: owed.recipient, amountBase: owed.amountBase });
    await liftHalts(bench.sql); // the review had stopped the wallet
    const [paid] = await bench.run(worker, [twin.id]);
    await expect(resolve(paid?.txHash ?? "")).rejects.toMatchObject({ code: "invalid_state" });
    const byHand = await payByHand(chain, owed.recipient, owed.amountBase);
    await resolve(byHand);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed", txHash: byHand });
    expect(events).toEqual([`${owed.id} executed`]);
  });

  it("is paid once more when it provably was not paid, and the audit finds nothing; a second retry is refused", async () => {
    const { worker, owed, raw } = await underReview();
    const retry = () => resolveReview(bench.ctx, { ...order, transferId: owed.id, resolution: { outcome: "retry" }, onFinal });
    expect(await retry()).toMatchObject({ state: "queued", reviewReason: null });
    await expect(retry()).rejects.toMatchObject({ code: "invalid_state" });
    await liftHalts(bench.sql); // the review had halted the wallet
    const [paid] = await bench.run(worker, [owed.id]);
    expect(paid).toMatchObject({ state: "executed", failureReason: null });
    await expect(chain.call("eth_sendRawTransaction", raw)).rejects.toThrow(/nonce too low/i);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect(await bench.finals(owed.id)).toBe(1);
    const { rules } = await auditDatabase({ db: bench.db });
    const found = rules.flatMap(({ rule, violations }) => violations.map(({ detail }) => `${rule}: ${detail}`));
    expect(found.filter((line) => /fee|vain|superseded/.test(line))).toEqual([]);
  });

  it("is not paid again while its bytes may still be mined, nor after somebody asked to cancel it", async () => {
    const worker = await setUp({ confirmations: 1 });
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await bench.sql`update transfers set state = 'needs_review', review_reason = 'for this test', due_at = null where id = ${owed.id}`;
    const retry = () => resolveReview(bench.ctx, { ...order, transferId: owed.id, resolution: { outcome: "retry" }, onFinal });
    await expect(retry()).rejects.toMatchObject({ code: "invalid_state", message: expect.stringContaining("may still be mined") });
    await bench.sql`update transfers set cancel_requested_at = now() where id = ${owed.id}`;
    await expect(retry()).rejects.toMatchObject({ code: "invalid_state", message: expect.stringContaining("asked to cancel") });
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "needs_review" });
  });

  it("comes back to review when it is resumed and nothing has changed", async () => {
    const { worker, owed } = await underReview();
    await resolveReview(bench.ctx, { ...order, transferId: owed.id, resolution: { outcome: "resume" }, onFinal });
    expect((await bench.transfer(owed.id)).state).toBe("broadcast");
    const [again] = await bench.run(worker, [owed.id], 8);
    expect(again?.state).toBe("needs_review");
    expect(events).toEqual([]);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
  });
});

describe("a review of what is on the chain as a success without the payment", () => {
  /** A token that says yes to every transfer and does nothing; to the shorter question for a balance it always answers 2^60. */
  const SAYS_YES = "0x366028108015603c1b015f5260205ff3";
  /** The same, but with another balance in every block. */
  const TELLS_OTHERS = "0x3660281080154360281b02015f5260205ff3";

  async function underReview(token: string) {
    const worker = await setUp({ confirmations: 2 });
    const first = await bench.enqueuePayment();
    await bench.run(worker, [first.id]);
    const code = await chain.call("eth_getCode", chain.tokens.USDT, "latest");
    await chain.call("anvil_setCode", chain.tokens.USDT, token);
    await chain.mine();
    const owed = await bench.enqueuePayment();
    const [reviewed] = await bench.run(worker, [owed.id]);
    expect(reviewed).toMatchObject({ state: "needs_review", reviewReason: expect.stringContaining("does not say") });
    return { owed, restore: () => chain.call("anvil_setCode", chain.tokens.USDT, code) };
  }
  const fail = (transferId: string) =>
    resolveReview(bench.ctx, { ...order, transferId, resolution: { outcome: "failed", reason: "The token moved nothing." }, onFinal });

  it("may fail once it is final and provably moved nothing: the token said nothing, and no balance changed", async () => {
    const { owed, restore } = await underReview(SAYS_YES);
    try {
      const review = await readReview(bench.ctx, owed.id);
      expect(review).toMatchObject({ mayFail: true, nodes: [{ attempts: [{ seen: "moved_nothing" }] }] });
      await fail(owed.id);
      expect(await bench.transfer(owed.id)).toMatchObject({ state: "failed", failureReason: "The token moved nothing." });
      expect(events).toEqual([`${owed.id} failed`]);
      await expect(fail(owed.id)).rejects.toMatchObject({ code: "invalid_state" });
    } finally {
      await restore();
    }
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
  });

  it("may not while somebody's balance is another one after its block than before", async () => {
    const { owed, restore } = await underReview(TELLS_OTHERS);
    try {
      expect(await readReview(bench.ctx, owed.id)).toMatchObject({ mayFail: false, nodes: [{ attempts: [{ seen: "unclear" }] }] });
      await expect(fail(owed.id)).rejects.toMatchObject({ code: "invalid_state" });
      expect((await bench.transfer(owed.id)).state).toBe("needs_review");
      expect(events).toEqual([]);
    } finally {
      await restore();
    }
  });
});

describe("an operator's order", () => {
  it("is in the audit log with who gave it and why, and no other role suffices", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    const viewer = { actor: { type: "user", userId: "u", role: "viewer", partnerId: null } as const, requestId: null };
    await expect(bumpTransfer(bench.ctx, { ...order, by: viewer, transferId: owed.id })).rejects.toMatchObject({ code: "forbidden" });
    await bumpTransfer(bench.ctx, { ...order, transferId: owed.id });
    await cancelTransfer(bench.ctx, { ...order, transferId: owed.id, onFinal });
    const rows = await bench.sql`select action, reason, actor_id from audit_entries where object_id = ${owed.id} order by id`;
    expect(rows.map(({ action }) => action)).toEqual(["transfer.bump_requested", "transfer.cancel_requested"]);
    expect(rows[0]).toMatchObject({ reason: "because of a test", actor_id: "00000000-0000-4000-8000-000000000001" });
    await bench.run(worker, [owed.id]);
  });
});
