import { keccak256, toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { askRule } from "#db/queries/audit/rules/rule.ts";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import { listHistory } from "#db/queries/settlements/settlement-story.ts";
import { listPlaces } from "#db/queries/transfers/transactions.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { findAnsweringNode } from "#server/services/ledger/answering-chain.ts";
import { auditChain } from "#server/services/ledger/audit-chain.ts";
import { auditTreasury } from "#server/services/ledger/audit-treasury.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died } from "#testing/death.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openBytes } from "#testing/signers.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

const TOKEN_OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
/** Tampers with requests to the node; the reorg itself is the chain's own. */
let rule: ProxyRule = () => "pass";

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  rule = () => "pass";
  await bench.close();
  await node.stop();
});
afterAll(async () => {
  await chain.stop();
});

async function setUp(confirmations = 2) {
  node = await startRpcProxy(chain.rpcUrl, (method, params) => rule(method, params));
  bench = await openTransferBench(chain, { rpcUrls: [node.url], confirmations });
}

/** Every nonce of the transfer: whether it was superseded, and the kinds of its attempts. */
async function placesOf(id: string) {
  const rows = await bench.sql`select x.nonce::int, x.superseded_at is not null as vain,
    array(select a.kind from transaction_attempts a where a.transaction_id = x.id order by a.number) as kinds
    from transactions x where x.transfer_id = ${id} order by x.nonce`;
  return rows.map(({ nonce, vain, kinds }) => [nonce, vain, kinds]);
}

async function violations(): Promise<string[]> {
  const info = bench.ctx.evm.find(chain.chain);
  const answering = info && (await findAnsweringNode(info));
  if (!answering) throw new Error("no node answers");
  // The calls here belong to no deployment.
  const asked = transferRules(null).filter(({ name }) => name !== "transfer_has_an_owner");
  const rules = await Promise.all(asked.map((one) => askRule(bench.db, one)));
  const found = [...rules, ...(await auditChain(bench.ctx, answering, { scope: null, endedSince: null }))];
  return found.flatMap(({ rule: name, violations: each }) => each.map(({ subject, detail }) => `${name}: ${subject} ${detail}`));
}

/** The treasury's coins compared with the books: booked fees that nobody paid, and paid ones that are not booked. */
async function feesAreRight(): Promise<void> {
  const info = bench.ctx.evm.find(chain.chain);
  const answering = info && (await findAnsweringNode(info));
  if (!answering) throw new Error("no node answers");
  const [row] = await bench.sql`select coalesce(sum(fee_base), 0)::text as booked from network_fees`;
  const spent = 100n * 10n ** 18n - (await bench.etherBalance(bench.addresses[0] ?? ""));
  expect(BigInt(row?.booked)).toBe(spent);
  expect((await auditTreasury(bench.ctx, answering)).violations.filter(({ subject }) => subject.includes("ETH"))).toEqual([]);
}

const nonceOnChain = async () => Number(await chain.call("eth_getTransactionCount", bench.addresses[0], "latest"));
const orphaned = async () => (await bench.sql`select transaction_id from adrift_places`).length;
const bytesOf = async (id: string, nonce: number) => {
  const [row] = await bench.sql`select id from transactions where transfer_id = ${id} and nonce = ${nonce}`;
  const [place] = await listPlaces(bench.db, [String(row?.id)]);
  if (place === undefined) throw new Error(`nothing is signed under nonce ${nonce}`);
  return openBytes(place, place.attempts[0]);
};

const hashOf = async (id: string, nonce: number) => {
  const [row] = await bench.sql`select a.hash from transaction_attempts a join transactions x on x.id = a.transaction_id
    where x.transfer_id = ${id} and x.nonce = ${nonce} and a.number = 1`;
  return String(row?.hash);
};

async function passes(worker: TransferEngine, count: number): Promise<void> {
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

/** The first estimate is a lie, so that what is signed by it runs out of gas. */
function lieOnce(): void {
  let lies = 1;
  rule = (method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass");
}

/** The chain before, and then other blocks: more than were dropped, so that every reader sees it. */
async function forkAt(snapshot: unknown): Promise<void> {
  await chain.call("evm_revert", snapshot);
  await chain.mine(20);
}

/** A payment that ran out of gas and was made again under the next nonce, and one behind it; then the chain without all those blocks. */
async function paidAgainAndDropped() {
  await setUp();
  const worker = bench.newWorker();
  await runTransfersOnce(worker, chain.chain);
  const snapshot = await chain.call("evm_snapshot");
  lieOnce();
  const owed = await bench.enqueuePayment();
  await bench.run(worker, [owed.id]);
  const behind = await bench.enqueuePayment();
  await bench.run(worker, [behind.id]);
  expect(await placesOf(owed.id)).toEqual([
    [0, true, ["payment"]],
    [1, false, ["payment"]],
  ]);
  const old = await bytesOf(owed.id, 0);
  await forkAt(snapshot);
  return { worker, owed, behind, old };
}

/** A payment that failed during the issuer's pause and was made again afterwards; then the chain without the pause and all those blocks. */
async function pausedAndDropped(confirmations = 2) {
  await setUp(confirmations);
  const worker = bench.newWorker();
  await runTransfersOnce(worker, chain.chain);
  const snapshot = await chain.call("evm_snapshot");
  const owed = await bench.enqueuePayment();
  await runTransfersOnce(worker, chain.chain);
  await chain.callToken("pause()");
  await passes(worker, confirmations + 2);
  const old = await bytesOf(owed.id, 0);
  return { worker, owed, old, snapshot };
}

describe("a deep reorg that takes back a superseded payment", () => {
  it("has its nonce spent by an empty transfer; what came later is paid again, each once, without any person", async () => {
    const { worker, owed, behind } = await paidAgainAndDropped();
    await passes(worker, 16);
    expect(await placesOf(owed.id)).toEqual([
      [0, true, ["payment", "cancellation"]],
      [1, false, ["payment"]],
    ]);
    for (const { id, recipient, amountBase } of [owed, behind]) {
      expect(await bench.transfer(id)).toMatchObject({ state: "executed", waitingReason: null });
      expect(await bench.tokenBalance(recipient)).toBe(amountBase);
      expect(await bench.finals(id)).toBe(1);
    }
    expect(await orphaned()).toBe(0);
    expect(await nonceOnChain()).toBe(3);
    expect(await violations()).toEqual([]);
    await feesAreRight();
    const history = await listHistory(bench.db, [owed.ownerId]);
    expect(history.map(({ action }) => action)).toEqual([
      "transfer.made_anew",
      "transfer.vanished",
      "transfer.forfeited",
      "transfer.restored",
    ]);
  });

  it("stores the empty transfer before it is sent, and never sends the old bytes nor, before that nonce is spent for good, the new ones", async () => {
    const { worker, owed, old } = await paidAgainAndDropped();
    const again = await bytesOf(owed.id, 1);
    const sent: { bytes: string; isStored: boolean; nonce: number }[] = [];
    const waiting: Promise<void>[] = [];
    rule = (method, params) => {
      if (method !== "eth_sendRawTransaction") return "pass";
      const bytes = String(params[0]);
      const look = async () => {
        const isStored =
          (await bench.sql`select 1 from transaction_attempts where hash = ${keccak256(bytes as `0x${string}`)}`).length === 1;
        sent.push({ bytes, isStored, nonce: await nonceOnChain() });
      };
      waiting.push(look());
      return "pass";
    };
    await passes(worker, 16);
    await Promise.all(waiting);
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.every(({ isStored }) => isStored)).toBe(true);
    expect(sent.map(({ bytes }) => bytes)).not.toContain(old);
    expect(sent.filter(({ bytes, nonce }) => bytes === again && nonce === 0)).toEqual([]);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
  });

  it("comes to the same when workers die with the empty transfer signed, stored or sent", async () => {
    const { owed, behind } = await paidAgainAndDropped();
    await bench.letLeasesLapse();
    for (const step of ["forfeit_signed", "forfeit_stored", "forfeit_sent"] as const) {
      let seen = 0;
      const doomed = bench.newWorker({
        observe: (reached) => {
          if (reached !== step) return;
          seen += 1;
          throw new Died(`died at ${step}`);
        },
      });
      for (let pass = 0; pass < 8 && seen === 0; pass += 1) await runTransfersOnce(doomed, chain.chain).catch(() => {});
      expect(seen, step).toBe(1);
      await bench.letLeasesLapse();
    }
    await passes(bench.newWorker(), 16);
    for (const { recipient, amountBase } of [owed, behind]) expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    expect((await placesOf(owed.id))[0]).toEqual([0, true, ["payment", "cancellation"]]);
    expect(await violations()).toEqual([]);
  });

  it("takes it as it is when the other chain mines the superseded bytes again while the empty transfer is out", async () => {
    const { worker, owed, old } = await paidAgainAndDropped();
    rule = (method) => (method === "eth_sendRawTransaction" ? { result: `0x${"00".repeat(32)}` } : "pass"); // taken, and lost
    await passes(worker, 2);
    expect((await placesOf(owed.id))[0]).toEqual([0, true, ["payment", "cancellation"]]);
    await chain.call("eth_sendRawTransaction", old);
    await chain.mine();
    rule = () => "pass";
    await passes(worker, 12);
    expect(await orphaned()).toBe(0);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect(await nonceOnChain()).toBe(3);
    expect(await violations()).toEqual([]);
    await feesAreRight();
  });

  it("replaces the old bytes where the nodes have them in their pool again", async () => {
    const { worker, owed, old } = await paidAgainAndDropped();
    await chain.call("eth_sendRawTransaction", old);
    await passes(worker, 16);
    const [, emptied] = await bench.sql`select a.hash from transaction_attempts a join transactions x on x.id = a.transaction_id
      where x.transfer_id = ${owed.id} and x.nonce = 0 order by a.number`;
    expect(await chain.call("eth_getTransactionReceipt", emptied?.hash)).toMatchObject({ status: "0x1" });
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect(await violations()).toEqual([]);
  });

  it("is found by the gap that it leaves where nobody saw the fork itself", async () => {
    const { worker, owed, behind } = await paidAgainAndDropped();
    rule = (method) => (method === "eth_sendRawTransaction" ? { result: `0x${"00".repeat(32)}` } : "pass");
    await passes(worker, 1);
    await bench.sql`delete from adrift_places`;
    expect(await placesOf(owed.id)).toHaveLength(2);
    rule = () => "pass";
    const next = await bench.enqueuePayment();
    await passes(worker, 20);
    for (const { recipient, amountBase } of [owed, behind, next]) expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    expect(await orphaned()).toBe(0);
    expect(await violations()).toEqual([]);
    await feesAreRight();
  });

  it("raises the fee of an empty transfer that is not mined", async () => {
    const { worker, owed } = await paidAgainAndDropped();
    await runTransfersOnce(worker, chain.chain);
    await bench.sql`update transactions set bump_at = clock_timestamp() where nonce = 0`;
    await runTransfersOnce(worker, chain.chain);
    await passes(worker, 16);
    expect((await placesOf(owed.id))[0]).toEqual([0, true, ["payment", "cancellation", "cancellation"]]);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect(await violations()).toEqual([]);
    await feesAreRight();
  });
});

describe("old bytes that would succeed on the other chain", () => {
  it("are not let through: what is queued to be made again waits until the nonce is spent on nothing, and is paid once", async () => {
    const { worker, owed, snapshot } = await pausedAndDropped();
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued" });
    await forkAt(snapshot);
    await passes(worker, 2);
    expect(await orphaned()).toBe(1);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued" });
    await passes(worker, 16);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect(await violations()).toEqual([]);
    await feesAreRight();
  });

  it("and are mined all the same pay what is queued to be made again, and nothing else is paid", async () => {
    const { worker, owed, old, snapshot } = await pausedAndDropped();
    await forkAt(snapshot);
    await chain.call("eth_sendRawTransaction", old);
    await chain.mine();
    await passes(worker, 12);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed", txHash: await hashOf(owed.id, 0) });
    expect(await bench.finals(owed.id)).toBe(1);
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    expect(await violations()).toEqual([]);
    await feesAreRight();
  });

  it("and have paid what is signed again put that under review, and its nonce is spent on nothing", async () => {
    const { worker, owed, old, snapshot } = await pausedAndDropped();
    await chain.callToken("unpause()");
    await chain.mine();
    rule = (method) => (method === "eth_sendRawTransaction" ? { result: `0x${"00".repeat(32)}` } : "pass");
    for (let pass = 0; pass < 6 && (await bench.transfer(owed.id)).state === "queued"; pass += 1)
      await runTransfersOnce(worker, chain.chain);
    expect(await placesOf(owed.id)).toHaveLength(2);
    await forkAt(snapshot);
    await chain.call("eth_sendRawTransaction", old);
    await chain.mine();
    rule = () => "pass";
    await passes(worker, 16);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "needs_review", reviewReason: expect.stringContaining("paid") });
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    expect((await placesOf(owed.id))[1]).toEqual([1, false, ["payment", "cancellation"]]);
    expect(await nonceOnChain()).toBe(2);
    expect(await listOpenHalts(bench.ctx)).toMatchObject([{ cause: "paid_in_vain", evidence: { transfer_id: owed.id, nonce: 0 } }]);
  });
});

describe("what failed for good", () => {
  it("is not paid by a fork: a cancelled payment's nonce is spent by its cancellation again", async () => {
    await setUp();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const snapshot = await chain.call("evm_snapshot");
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await bench.sql`update transfers set cancel_requested_at = clock_timestamp() where id = ${owed.id}`;
    await bench.run(worker, [owed.id]);
    const behind = await bench.enqueuePayment();
    await bench.run(worker, [behind.id]);
    await expectFailedAlone(worker, { owed, behind, snapshot });
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
  });

  it("is not sent again: a reverted call's nonce is spent on nothing", async () => {
    await setUp();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const snapshot = await chain.call("evm_snapshot");
    lieOnce();
    const data = `${toFunctionSelector("approve(address,uint256)")}${TOKEN_OWNER.slice(2).toLowerCase().padStart(64, "0")}${"1".padStart(64, "0")}`;
    const owed = await bench.enqueuePayment({
      purpose: "deployment",
      amountBase: 0n,
      call: { to: chain.tokens.USDT, valueBase: 0n, data },
    });
    await bench.run(worker, [owed.id]);
    const behind = await bench.enqueuePayment();
    await bench.run(worker, [behind.id]);
    const sent: string[] = [];
    rule = (method, params) => {
      if (method === "eth_sendRawTransaction") sent.push(String(params[0]));
      return "pass";
    };
    const old = await bytesOf(owed.id, 0);
    await expectFailedAlone(worker, { owed, behind, snapshot });
    expect(sent).not.toContain(old);
    expect(await placesOf(owed.id)).toEqual([[0, false, ["payment", "cancellation"]]]);
  });

  async function expectFailedAlone(
    worker: TransferEngine,
    { owed, behind, snapshot }: { owed: { id: string }; behind: Awaited<ReturnType<TransferBench["enqueuePayment"]>>; snapshot: unknown },
  ): Promise<void> {
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "failed" });
    await forkAt(snapshot);
    await passes(worker, 16);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "failed" });
    expect(await bench.tokenBalance(behind.recipient)).toBe(behind.amountBase);
    expect(await orphaned()).toBe(0);
    expect(await violations()).toEqual([]);
    await feesAreRight();
  }
});
