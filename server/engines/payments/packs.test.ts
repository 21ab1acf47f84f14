import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { scopedTo } from "#db/client.ts";
import { findPayment } from "#db/queries/settlements/settlement-story.ts";
import { packedCall } from "#domain/packed-transfers.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Transfer } from "#domain/transfer.ts";
import { PACKING_CONTRACT } from "#server/adapters/chain/evm/packing/packing-contract.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { listWaits } from "#server/services/settlements/list-waits.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { Died, runToDeath } from "#testing/death.ts";
import { addPartner } from "#testing/factories.ts";
import { allowPacking } from "#testing/packing.ts";
import { type ProxyRule, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTamperer } from "#testing/tamper.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import type { TransferStep } from "./engine.ts";
import { runTransfersOnce } from "./run-transfers.ts";

/** Payments that go together in one transaction: what becomes of each, whatever happens to it. */

const CODE = { audited: "" };
let chain: TestChain;
let bench: TransferBench;
let wallet: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  await allowPacking(chain, []);
  CODE.audited = String(await chain.call("eth_getCode", PACKING_CONTRACT.address, "latest"));
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

/** The allowance is there, as after the first payments of a wallet. */
async function setUp(options: BenchOptions = {}) {
  bench = await openTransferBench(chain, { packing: true, ...options });
  await allowPacking(chain, bench.addresses);
  wallet = bench.addresses[0] ?? "";
  // Where its sequence begins is believed after several words.
  const worker = bench.newWorker();
  for (let pass = 0; pass < 4; pass += 1) {
    await chain.mine();
    await runTransfersOnce(worker, chain.chain);
  }
  await bench.letLeasesLapse();
}

async function owe(count: number): Promise<Transfer[]> {
  const owed: Transfer[] = [];
  for (let index = 0; index < count; index += 1) owed.push(await bench.enqueuePayment());
  return owed;
}

const ids = (owed: readonly Transfer[]) => owed.map(({ id }) => id);
const run = async (owed: readonly Transfer[], passes?: number) => await bench.run(bench.newWorker(), ids(owed), passes);
const packs = () =>
  bench.sql`select id, state, tx_hash, block_number::int as block, amount_base::text as amount from transfers where purpose = 'pack'`;
const outcomes = () => bench.sql`select outcome, count(*)::int as count from pack_members group by 1 order by 1`;
const signedCount = async () => (await bench.sql`select count(*)::int as count from transactions`)[0]?.count;

/** Each once: on the chain, in its row, to its owner. Its log is no other's. */
async function expectPaidOnce(owed: readonly Transfer[]): Promise<void> {
  for (const { id, recipient, amountBase } of owed) {
    expect([id, await bench.tokenBalance(recipient)]).toEqual([id, amountBase]);
    expect(await bench.transfer(id)).toMatchObject({ state: "executed", waitingReason: null });
    expect(await bench.finals(id)).toBe(1);
  }
  expect(
    await bench.sql`select m.pack_id from pack_members m join transfers t on t.id = m.transfer_id
    where (m.outcome = 'paid') <> (t.tx_hash is not distinct from (select p.tx_hash from transfers p where p.id = m.pack_id))`,
  ).toEqual([]);
  const wallets =
    await bench.sql`select next_nonce::int as next, (select count(*)::int from transactions where wallet_id = wallets.id) as used from wallets`;
  for (const { next, used } of wallets) expect(next - used).toBe(1); // the allowance came from outside
}

describe("due payments of a wallet and token", () => {
  it("go in one transaction, which costs less than one each, and each ends by its own log", async () => {
    await setUp();
    const before = await bench.tokenBalance(wallet);
    const owed = await owe(6);
    const coin = await bench.enqueuePayment({ currency: "ETH", tokenAddress: null, tokenDecimals: 18, amountBase: 10n ** 18n });
    const usdc = await bench.enqueuePayment({ currency: "USDC", tokenAddress: chain.tokens.USDC });
    const same = await bench.enqueuePayment({ recipient: owed[0]?.recipient ?? "" });
    await run([...owed, coin, usdc, same]);
    expect(await packs()).toMatchObject([{ state: "executed", amount: String(6n * (owed[0]?.amountBase ?? 0n)) }]);
    expect(await outcomes()).toEqual([{ outcome: "paid", count: 6 }]);
    expect(await signedCount()).toBe(4);
    expect(before - (await bench.tokenBalance(wallet))).toBe(owed.reduce((sum, { amountBase }) => sum + amountBase, same.amountBase));
    const places = await bench.sql`select log_index as place from pack_members order by position`;
    expect(places.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const other of ["'failed'", "null"])
      await expect(bench.sql.unsafe(`update pack_members set outcome = ${other}, log_index = null`)).rejects.toThrow(/is fixed/);
    const claimed = async (db = bench.db) => {
      const { rules } = await auditDatabase({ db, evm: bench.ctx.evm });
      return rules.find(({ rule }) => rule === "packed_log_is_claimed");
    };
    expect(await claimed()).toMatchObject({ checked: 1, violations: [] });
    const tamperer = openTamperer(bench.url);
    const forgotten = "update pack_members set outcome = 'refused', log_index = null where position = 2";
    const found = await tamperer.tamper(forgotten, claimed).finally(tamperer.close);
    expect(found?.violations).toMatchObject([{ detail: expect.stringContaining("at log 2, and no payment claims it") }]);
    const fees = await bench.sql`select count(*)::int as count, count(distinct hash)::int as hashes from network_fees`;
    expect(fees).toEqual([{ count: 4, hashes: 4 }]);
    const [entries] = await bench.sql`select count(*)::int as count from ledger_entries where cause = 'transaction'`;
    expect(entries?.count).toBe(4);
    await expectPaidOnce(owed.slice(1));
  });

  it("are judged by one trial of their transaction: a blocked one fails alone, with nothing signed for it", async () => {
    const proxy = await startRpcProxy(chain.rpcUrl);
    await setUp({ rpcUrls: [proxy.url] });
    const owed = await owe(9);
    const blocked = owed[4]?.recipient ?? "";
    await chain.callToken("blockWallet(address)", [blocked]);
    await chain.mine();
    const worker = bench.newWorker();
    proxy.calls.length = 0;
    await runTransfersOnce(worker, chain.chain);
    // Two of each trial, of which the first shows the blocked one, and its own.
    expect(proxy.calls.filter((method) => method === "eth_estimateGas")).toHaveLength(5);
    const done = await bench.run(worker, ids(owed));
    expect(done[4]).toMatchObject({ state: "failed", failureReason: expect.stringContaining("block") });
    expect(await bench.finals(owed[4]?.id ?? "")).toBe(1);
    expect(await bench.tokenBalance(blocked)).toBe(0n);
    expect(await outcomes()).toEqual([{ outcome: "paid", count: 8 }]);
    expect(await signedCount()).toBe(1);
    await expectPaidOnce(owed.filter((_, index) => index !== 4));
    await proxy.stop();
  });

  it("are judged alone and packed all the same where the node has no trial, or answers one in another shape or without a payment", async () => {
    const hidden = { recipient: "" };
    const trials: [rule: ReturnType<ProxyRule>, members: number][] = [
      [{ error: { code: -32601, message: "the method eth_simulateV1 does not exist" } }, 3],
      [{ result: [{ calls: "many" }] }, 3],
      [{ alter: (result) => withoutInTrial(result, hidden.recipient) }, 2],
    ];
    for (const [rule, members] of trials) {
      const proxy = await startRpcProxy(chain.rpcUrl, (method) => (method === "eth_simulateV1" ? rule : "pass"));
      await setUp({ rpcUrls: [proxy.url] });
      const owed = await owe(3);
      hidden.recipient = owed[1]?.recipient ?? "";
      await run(owed);
      expect(await outcomes()).toEqual([{ outcome: "paid", count: members }]);
      expect(proxy.calls).toContain("eth_simulateV1");
      await expectPaidOnce(owed);
      await proxy.stop();
      if (members === 3) await bench.close();
    }
  });

  it("go alone until the wallet allows the contract to move its tokens, once and for ever, by a transaction of its own", async () => {
    bench = await openTransferBench(chain, { packing: true });
    const worker = bench.newWorker();
    const first = await owe(3);
    await bench.run(worker, ids(first));
    expect(await packs()).toEqual([]);
    const next = await owe(3);
    await bench.run(worker, ids(next));
    const allowances = await bench.sql`select state, amount_base::int as amount, call_sender from transfers where purpose = 'allowance'`;
    expect(allowances).toEqual([{ state: "executed", amount: 0, call_sender: bench.addresses[0] }]);
    expect(await packs()).toMatchObject([{ state: "executed" }]);
    for (const { id, recipient, amountBase } of [...first, ...next]) {
      expect(await bench.tokenBalance(recipient)).toBe(amountBase);
      expect(await bench.finals(id)).toBe(1);
    }
  });

  it("go alone where there is one, and where packing is off or the contract's code is another", async () => {
    await setUp();
    const [alone] = await owe(1);
    await run(alone ? [alone] : []);
    expect(await packs()).toEqual([]);
    await chain.call("anvil_setCode", PACKING_CONTRACT.address, `${CODE.audited.slice(0, -2)}00`);
    const owed = await owe(2);
    const [waits] = await run(owed, 1);
    expect(waits).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("is not the packing contract") });
    await chain.call("anvil_setCode", PACKING_CONTRACT.address, CODE.audited);
    await bench.letLeasesLapse();
    await run(owed);
    expect(await packs()).toMatchObject([{ state: "executed" }]);
    await bench.close();
    bench = await openTransferBench(chain);
    const off = await owe(2);
    await run(off);
    expect(await packs()).toEqual([]);
    expect(await signedCount()).toBe(2);
  });
});

describe("what happens to a packed transaction", () => {
  it("fails the blocked one alone: the others are paid, and it says why", async () => {
    await setUp();
    const owed = await owe(3);
    const blocked = owed[1]?.recipient ?? "";
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.callToken("blockWallet(address)", [blocked]);
    const done = await bench.run(worker, ids(owed));
    expect(done.map(({ state }) => state)).toEqual(["executed", "failed", "executed"]);
    expect(done[1]?.failureReason).toContain("block");
    expect(await outcomes()).toEqual([
      { outcome: "paid", count: 2 },
      { outcome: "refused", count: 1 },
    ]);
    expect(await bench.tokenBalance(blocked)).toBe(0n);
    expect(await bench.finals(owed[1]?.id ?? "")).toBe(1);
    await expectPaidOnce(owed.filter((_, index) => index !== 1));
  });

  it("pays the refused one alone once the token lets it, and only after every node has shown the refusal", async () => {
    await setUp();
    const owed = await owe(3);
    const blocked = owed[1]?.recipient ?? "";
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.callToken("blockWallet(address)", [blocked]);
    await chain.mine();
    await chain.callToken("unblockWallet(address)", [blocked]);
    await bench.run(worker, ids(owed));
    expect(await outcomes()).toEqual([
      { outcome: "paid", count: 2 },
      { outcome: "refused", count: 1 },
    ]);
    await expectPaidOnce(owed);
  });

  it("pays nobody where it reverts, and frees all of them", async () => {
    await setUp();
    const owed = await owe(3);
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.call("anvil_setCode", PACKING_CONTRACT.address, "0x60006000fd");
    await chain.mine();
    await chain.call("anvil_setCode", PACKING_CONTRACT.address, CODE.audited);
    await bench.run(worker, ids(owed));
    expect(await packs()).toMatchObject([{ state: "failed" }]);
    expect(await outcomes()).toEqual([{ outcome: "unpaid", count: 3 }]);
    expect(await signedCount()).toBe(4);
    await expectPaidOnce(owed);
  });

  it("keeps nonce and members under a higher fee", async () => {
    await setUp({ bumpAfterSeconds: 0 });
    const owed = await owe(3);
    const worker = bench.newWorker();
    for (let pass = 0; pass < 3; pass += 1) await runTransfersOnce(worker, chain.chain);
    const attempts =
      await bench.sql`select distinct x.nonce, x.data, a.kind from transaction_attempts a join transactions x on x.id = a.transaction_id`;
    expect(attempts).toHaveLength(1);
    const [count] = await bench.sql`select count(*)::int as count from transaction_attempts`;
    expect(count?.count).toBeGreaterThan(1);
    await bench.run(worker, ids(owed));
    await expectPaidOnce(owed);
  });

  it("goes back with all of its members where a reorg takes its block, and pays them once in another", async () => {
    await setUp();
    const owed = await owe(3);
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
    await runTransfersOnce(worker, chain.chain);
    expect(await packs()).toMatchObject([{ state: "mined" }]);
    await chain.call("anvil_reorg", 1, []);
    await chain.mine();
    await runTransfersOnce(worker, chain.chain);
    const states = await bench.sql`select distinct state from transfers where purpose = 'settlement'`;
    expect(states).toEqual([{ state: "packed" }]);
    await bench.run(worker, ids(owed));
    await expectPaidOnce(owed);
  });

  it("comes back with all of its members after a deep reorg, by the same bytes", async () => {
    await setUp({ confirmations: 2 });
    const owed = await owe(3);
    const worker = bench.newWorker();
    await bench.run(worker, ids(owed));
    const [before] = await packs();
    await chain.call("anvil_reorg", 4, []);
    await chain.mine();
    await runTransfersOnce(worker, chain.chain);
    const gone = await bench.sql`select count(*)::int as count from transfers where adrift_since is not null`;
    for (let pass = 0; pass < 8; pass += 1) {
      await chain.mine();
      await runTransfersOnce(worker, chain.chain);
    }
    const back = await bench.sql`select count(*)::int as count from transfers where adrift_since is not null`;
    expect([gone, back]).toEqual([[{ count: 4 }], [{ count: 0 }]]);
    const [after] = await packs();
    expect(after?.tx_hash).toBe(before?.tx_hash);
    expect(await bench.sql`select distinct block_number::int as block, tx_hash from transfers`).toEqual([
      { block: after?.block, tx_hash: before?.tx_hash },
    ]);
    await expectPaidOnce(owed);
  });

  it("executes none whose log is missing, though the node reports success, and people look at it", async () => {
    const state = { hides: "" };
    const rule: ProxyRule = (method) => (/receipt/i.test(method) ? { alter: (result) => without(result, state.hides) } : "pass");
    const proxy = await startRpcProxy(chain.rpcUrl, rule);
    await setUp({ rpcUrls: [proxy.url] });
    const owed = await owe(3);
    state.hides = owed[1]?.recipient ?? "";
    const done = await run(owed);
    expect(done.map(({ state: now }) => now)).toEqual(["executed", "needs_review", "executed"]);
    expect(done[1]?.reviewReason).toContain("do not say");
    expect(await bench.finals(owed[1]?.id ?? "")).toBe(0);
    await proxy.stop();
  });

  it("ends none where the second node says something else of one of them, and each says what it waits for", async () => {
    const state = { hides: "" };
    const rule: ProxyRule = (method) => (/receipt/i.test(method) ? { alter: (result) => without(result, state.hides) } : "pass");
    const proxy = await startRpcProxy(chain.rpcUrl, rule);
    await setUp({ rpcUrls: [chain.rpcUrl, proxy.url] });
    const { partnerId } = await addPartner(bench.db);
    const owed = [await bench.enqueuePayment({ partnerId }), await bench.enqueuePayment({ partnerId }), await bench.enqueuePayment()];
    state.hides = owed[1]?.recipient ?? "";
    const worker = bench.newWorker();
    const waiting = await bench.run(worker, ids(owed), 8);
    expect(waiting.map(({ state: now }) => now)).toEqual(["packed", "packed", "packed"]);
    const processing = owed.map(({ ownerId }) => ({ id: ownerId, status: "processing" }) as Settlement);
    const kinds = async (db = bench.db) => {
      const waits = await listWaits({ db }, processing);
      return owed.map(({ ownerId }) => waits.get(ownerId)?.kind);
    };
    const tooFew = "chain_unavailable";
    expect(await kinds()).toEqual([tooFew, tooFew, tooFew]);
    // A partner sees the same of its own, although the packed transaction is in no partner's rows.
    expect(await kinds(scopedTo(processOf(bench.db, "web"), { of: "partner", id: partnerId }))).toEqual([tooFew, tooFew, undefined]);
    const shown = await findPayment(bench.db, "settlement", owed[0]?.ownerId ?? "");
    const [pack] = await packs();
    const own = { state: "mined", txHash: pack?.tx_hash, waitingReason: expect.stringContaining("node") };
    expect(shown).toMatchObject({ wallet, nonce: 1, packedWith: 3, attempts: [{ hash: pack?.tx_hash }], transfer: own });
    state.hides = "";
    await bench.run(worker, ids(owed));
    expect(await kinds()).toEqual([undefined, undefined, undefined]);
    await expectPaidOnce(owed);
    const [fee] = await bench.sql`select fee_base::text as fee from network_fees`;
    const paid = await findPayment(bench.db, "settlement", owed[0]?.ownerId ?? "");
    expect(paid).toMatchObject({ feeBase: (BigInt(fee?.fee) + 2n) / 3n, transfer: { state: "executed" } });
    await proxy.stop();
  });

  it("is cancelled as a whole: nobody is paid by it, and all are paid alone", async () => {
    await setUp();
    const owed = await owe(3);
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const [pack] = await packs();
    await bench.sql`update transfers set cancel_requested_at = now() where id = ${pack?.id}`;
    await runTransfersOnce(worker, chain.chain);
    await bench.run(worker, ids(owed));
    expect(await packs()).toMatchObject([{ state: "failed" }]);
    expect(await outcomes()).toEqual([{ outcome: "unpaid", count: 3 }]);
    await expectPaidOnce(owed);
  });
});

describe("what may not be packed", () => {
  it("is made alone in the same pass where a payment of the pack is held, stopped or owed to nobody", async () => {
    await setUp({ onFinal: completeOwner });
    const owed = await owe(2);
    await runTransfersOnce(bench.newWorker(), chain.chain);
    // Nobody owes them: the signer says which, and the chain is halted as for single ones.
    const halts = await bench.sql`select cause, detail from lane_halts`;
    expect(halts).toMatchObject([{ cause: "unowed_payment", detail: expect.stringContaining(owed[0]?.id ?? "") }]);
    expect(await packs()).toEqual([]);
    expect(await signedCount()).toBe(0);
  });

  it("is refused by the database: what is signed, packed before, or of another token", async () => {
    await setUp();
    const owed = await owe(3);
    await run(owed);
    const fresh = await owe(2);
    const usdc = await bench.enqueuePayment({ currency: "USDC", tokenAddress: chain.tokens.USDC });
    const { to, data } = packedCall(fresh, { contract: PACKING_CONTRACT.address, token: chain.tokens.USDT });
    const call = JSON.stringify({ to, data, sender: wallet });
    for (const members of [[fresh[0], owed[0]], [fresh[0], usdc], [fresh[0]], [fresh[0], fresh[0]], [fresh[0], { id: "tr_none" }]]) {
      const named = JSON.stringify(members.map((one) => one?.id));
      await expect(bench.sql`select * from owe_pack('tr_x', ${call}::text::jsonb, ${named}::text::jsonb)`).rejects.toThrow(
        "packs no payments",
      );
    }
    await expect(bench.sql`update pack_members set outcome = 'refused', log_index = null`).rejects.toThrow("is fixed");
    await expect(bench.sql`update pack_members set log_index = 0`).rejects.toThrow("pack_members_one_log");
  });
});

/** Between what is written or leaves for somebody else; the simulation dies everywhere. */
const WRITES = ["signed", "stored", "journaled", "sent", "noted", "cursor_moved", "final_written"] as const satisfies TransferStep[];

it("pays each exactly once wherever a worker dies, with members of every end", async () => {
  for (const step of WRITES) {
    await setUp();
    const owed = await owe(3);
    const blocked = owed[2]?.recipient ?? "";
    await chain.callToken("blockWallet(address)", [blocked]);
    expect([step, await runToDeath(doomed(step), chain)]).toEqual([step, true]);
    await bench.letLeasesLapse();
    const done = await run(owed, 16);
    expect(done.map(({ state }) => state)).toEqual(["executed", "executed", "failed"]);
    expect(await bench.tokenBalance(blocked)).toBe(0n);
    expect(await bench.finals(owed[2]?.id ?? "")).toBe(1);
    await expectPaidOnce(owed.slice(0, 2));
    if (step !== WRITES.at(-1)) await bench.close();
  }
});

function doomed(step: TransferStep) {
  return bench.newWorker({
    observe: (reached) => {
      if (reached === step) throw new Died(`died at ${step}`);
    },
  });
}

/** A receipt, or a block's, without the token's logs for a recipient. */
function without(result: unknown, recipient: string): unknown {
  if (Array.isArray(result)) return result.map((one) => without(one, recipient));
  if (result === null || recipient === "") return result;
  const receipt = result as { logs: { topics: string[] }[] };
  const hides = (topic: string | undefined) => topic?.toLowerCase().endsWith(recipient.slice(2).toLowerCase()) === true;
  return { ...receipt, logs: receipt.logs.filter(({ topics }) => !hides(topics[2])) };
}

/** What a trial answers, without the token's logs for a recipient. */
function withoutInTrial(result: unknown, recipient: string): unknown {
  const blocks = result as { calls: unknown[] }[];
  return blocks.map((block) => ({ ...block, calls: without(block.calls, recipient) }));
}
