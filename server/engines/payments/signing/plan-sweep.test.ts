import { type Address, encodeFunctionData } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { askRule } from "#db/queries/audit/rules/rule.ts";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import { newId } from "#domain/ids.ts";
import { SAFE_VERSIONS, type SafeVersion } from "#domain/safe.ts";
import type { Transfer } from "#domain/transfer.ts";
import { deploySafeContracts, ensureSafe } from "#sandbox/chain/safes.ts";
import { pauseToken, sendAsOwner, testTokenAbi } from "#sandbox/chain/tokens.ts";
import { localKeySigner } from "#server/adapters/signer/local-key.ts";
import { TRANSFER_STEPS, type TransferEngine, type TransferStep } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { findBroughtSafes } from "#server/services/treasury/find-brought-safes.ts";
import { watchCoin } from "#server/services/treasury/watch-coin.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { Died, runToDeath } from "#testing/death.ts";
import { addPartner } from "#testing/factories.ts";
import { asSafe } from "#testing/safes.ts";
import { type BenchOptions, newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { planSweep } from "./plan-sweep.ts";

let chain: TestChain;
let bench: TransferBench;
let salts = 0n;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  await deploySafeContracts(chain.rpcUrl);
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

/** A Safe that the bench's first wallet owns, with a hundred of each token; the worker has met its wallets. */
async function setUp(options: BenchOptions & { version?: SafeVersion; owners?: Address[]; threshold?: number; tokens?: number } = {}) {
  const { version = "1.4.1", owners = [], threshold = 1, tokens = 100, ...rest } = options;
  bench = await openTransferBench(chain, rest);
  const worker = bench.newWorker();
  await runTransfersOnce(worker, chain.chain);
  salts += 1n;
  const first = bench.addresses[0] as Address;
  const safe = await ensureSafe(chain.rpcUrl, { version, owners: owners.length > 0 ? owners : [first], threshold, saltNonce: salts });
  await chain.fund(safe, { ether: 0, tokens });
  return { safe, worker };
}

const AMOUNT = 40_000_000n;
const plan = (safeAddress: string, more: { amountBase?: bigint; tokenAddress?: string | null; recipient?: string } = {}) => {
  const wanted = { chain: chain.chain, safeAddress, tokenAddress: chain.tokens.USDT, amountBase: AMOUNT, recipient: newAddress(), ...more };
  return planSweep(bench.ctx, wanted);
};

/** A wallet that the signer has the key of, and that holds nothing: a sweep goes to no other. */
function newWallet(): Address {
  const key = generatePrivateKey();
  bench.signers.push(localKeySigner(async () => key));
  return privateKeyToAddress(key);
}

/** Plans a sweep to a wallet of its own and owes it. */
async function enqueuePayment(safeAddress: string, amountBase = AMOUNT): Promise<Transfer> {
  const recipient = newWallet();
  const call = await plan(safeAddress, { amountBase, recipient });
  return await bench.enqueuePayment({ purpose: "sweep", ownerId: newId("withdrawal", new Date()), amountBase, recipient, call });
}

const safeNonce = async (safe: string) => (await bench.ctx.evm.find(chain.chain)?.nodes[0]?.safe(safe))?.nonce;

async function expectSwept(...owed: Transfer[]) {
  for (const { id, recipient, amountBase } of owed) {
    expect(await bench.transfer(id)).toMatchObject({ state: "executed", failureReason: null });
    expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    expect(await bench.finals(id)).toBe(1);
  }
}

const ETHER = 10n ** 18n;

describe("a sweep", () => {
  for (const version of SAFE_VERSIONS) {
    it(`takes exactly what was asked for out of a Safe of ${version}, and its Safe says so`, async () => {
      const { safe, worker } = await setUp({ version });
      const owed = await enqueuePayment(safe);
      await bench.run(worker, [owed.id]);
      await expectSwept(owed);
      expect(await bench.tokenBalance(safe)).toBe(60_000_000n);
      expect(await safeNonce(safe)).toBe(1);
    });
  }

  it("takes the native coin too, which explains its movement; what came into a Safe that nobody but us can move is in suspense", async () => {
    const { safe, worker } = await setUp();
    const { partnerId } = await addPartner(bench.db);
    const shared = await ensureSafe(chain.rpcUrl, {
      version: "1.4.1",
      owners: [bench.addresses[0] as Address, newAddress()],
      threshold: 1,
      saltNonce: 0n,
    });
    for (const [index, wallet] of [safe, shared, newAddress()].entries())
      await bench.sql`insert into members (id, partner_id, external_user_id, phone, wallet_address, chain, created_at, updated_at)
        values (gen_random_uuid(), ${partnerId}, ${`member-${index}`}, ${`+25471234567${index}`}, ${wallet}, ${chain.chain}, now(), now())`;
    const ctx = { ...bench.ctx, db: processOf(bench.db, "worker") };
    const watch = async () => {
      for (const evm of bench.ctx.evm.list()) {
        await findBroughtSafes(ctx, evm);
        for (const holder of ["wallet", "safe"] as const) await watchCoin(ctx, evm, holder);
      }
      return (await bench.sql`select holder, direction, place, amount_base::text as amount from suspense_lines`).map((row) => ({ ...row }));
    };
    await chain.mine(4);
    expect(await watch()).toEqual([]);
    expect(await bench.sql`select address from brought_safes where is_ours`).toMatchObject([{ address: safe.toLowerCase() }]);
    for (const to of [safe, shared]) await sendAsOwner(chain.rpcUrl, { to, value: 5n * ETHER });
    const recipient = newWallet();
    const call = await plan(safe, { tokenAddress: null, amountBase: 3n * ETHER, recipient });
    const native = { currency: "ETH", tokenAddress: null, tokenDecimals: 18, amountBase: 3n * ETHER };
    const owed = await bench.enqueuePayment({ purpose: "sweep", ...native, recipient, call });
    await bench.run(worker, [owed.id]);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
    expect(await bench.etherBalance(recipient)).toBe(3n * ETHER);
    expect(await watch()).toEqual([{ holder: "safe", direction: "in", place: -1, amount: String(5n * ETHER) }]);
  });

  it("is sent by the wallet that owns the Safe, however many others there are and no matter who holds them", async () => {
    const keys = Array.from({ length: 3 }, () => generatePrivateKey());
    const signers = keys.map((key) => localKeySigner(async () => key));
    for (const key of keys) await chain.fund(privateKeyToAddress(key));
    const owner = privateKeyToAddress(keys[2] ?? "0x");
    const { safe, worker } = await setUp({ signers, owners: [owner] });
    const owed = await enqueuePayment(safe);
    // Another worker, which holds no wallet, leaves it to the one that holds the owner.
    expect(await runTransfersOnce(bench.newWorker(), chain.chain)).toBe("idle");
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: null });
    await bench.run(worker, [owed.id]);
    await expectSwept(owed);
    expect((await bench.transaction(owed.id)).walletAddress).toBe(owner);
  });

  it("waits, and says for whom, while its wallet is paused or not there", async () => {
    const { safe, worker } = await setUp();
    const owed = await enqueuePayment(safe);
    const stranger = await bench.enqueuePayment({
      purpose: "sweep",
      call: { to: safe, valueBase: 0n, data: "0x6a761202", sender: newAddress() },
    });
    await runTransfersOnce(worker, chain.chain);
    expect(await bench.transfer(stranger.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("Only wallet 0x") });
    await bench.run(worker, [owed.id]);
    await expectSwept(owed);
  });

  it("is planned for no Safe that is not ours, and for none that holds too little", async () => {
    const { safe } = await setUp();
    const owner = bench.addresses[0] as Address;
    const foreign = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners: [newAddress()], threshold: 1, saltNonce: 1n });
    const shared = await ensureSafe(chain.rpcUrl, { version: "1.3.0", owners: [owner, newAddress()], threshold: 2, saltNonce: 1n });
    await expect(plan(foreign)).rejects.toThrow("The Safe is not controlled by the service.");
    await expect(plan(shared)).rejects.toThrow("The Safe is not controlled by the service.");
    await expect(plan(newAddress())).rejects.toThrow("There is no Safe at this address.");
    await expect(plan(chain.tokens.USDT)).rejects.toThrow("There is no Safe at this address.");
    await expect(plan(safe, { amountBase: 100_000_001n })).rejects.toThrow("The Safe holds too little.");
    await expect(plan(safe, { tokenAddress: null, amountBase: 1n })).rejects.toThrow("The Safe holds too little.");
    await expect(plan(safe, { amountBase: 100_000_000n })).resolves.toMatchObject({ to: safe, valueBase: 0n, sender: owner });
  });

  it("is not planned for a contract that only looks like a Safe", async () => {
    const { safe } = await setUp();
    const code = String(await chain.call("eth_getCode", safe, "latest"));
    await chain.call("anvil_setCode", safe, `${code}00`);
    await expect(plan(safe)).rejects.toThrow("canonical contracts");
  });
});

describe("a sweep that cannot be made", () => {
  it("because the token blocks the recipient fails with that reason", async () => {
    const { safe, worker } = await setUp();
    const recipient = chain.blockedWallet;
    const call = await plan(safe, { recipient });
    const owed = await bench.enqueuePayment({ purpose: "sweep", amountBase: AMOUNT, recipient, call });
    const [done] = await bench.run(worker, [owed.id], 3);
    expect(done).toMatchObject({ state: "failed", failureReason: "The token's blocklist refuses this recipient." });
  });

  it("because the owner was exchanged since fails with that reason", async () => {
    const { safe, worker } = await setUp();
    const owed = await enqueuePayment(safe);
    await asSafe(chain, safe, { swapOwner: { from: bench.addresses[0] as Address, to: newAddress() } });
    const [done] = await bench.run(worker, [owed.id], 3);
    expect(done).toMatchObject({ state: "failed", failureReason: "The Safe does not obey the service's key." });
  });

  it("because a guard of the Safe forbids it fails", async () => {
    const { safe, worker } = await setUp();
    const owed = await enqueuePayment(safe);
    const guard = await asSafe(chain, safe, { guard: true });
    await chain.call("anvil_setCode", guard, "0x60006000fd");
    const [done] = await bench.run(worker, [owed.id], 3);
    expect(done).toMatchObject({ state: "failed", failureReason: expect.stringMatching(/^The Safe refused the transaction/) });
  });

  it("only turns out so in its block: it fails there, takes nothing, and is no obstacle to the next", async () => {
    const { safe, worker } = await setUp();
    const owed = await enqueuePayment(safe);
    await runTransfersOnce(worker, chain.chain);
    expect((await bench.transfer(owed.id)).state).toBe("broadcast");
    // While it is on its way the Safe is blocked, and that comes into the block before it.
    await mineAfter(owed, worker, () => setBlocked(safe, true));
    const [done] = await bench.run(worker, [owed.id]);
    expect(done).toMatchObject({ state: "failed", failureReason: expect.stringMatching(/^The token's blocklist/) });
    expect(done?.txHash).toBe((await bench.transaction(owed.id)).attempts[0]?.hash);
    expect(await bench.finals(owed.id)).toBe(1);
    expect(await bench.tokenBalance(safe)).toBe(100_000_000n);
    expect(await safeNonce(safe)).toBe(0);
    await setBlocked(safe, false);
    const next = await enqueuePayment(safe);
    await bench.run(worker, [next.id]);
    await expectSwept(next);
    await expectFees(2);
  });
});

describe("a sweep that meets an issuer's pause", () => {
  let isPaused = false;
  async function pause(paused: boolean): Promise<void> {
    await pauseToken(chain.rpcUrl, chain.tokens.USDT, paused);
    isPaused = paused;
  }
  afterEach(async () => {
    if (isPaused) await pause(false);
  });
  const PAUSED = { state: "queued", waitingReason: "The token's issuer has paused all transfers.", failureReason: null, txHash: null };

  it("before it is signed waits for its end, with nothing signed, and is made once", async () => {
    const { safe, worker } = await setUp();
    const owed = await enqueuePayment(safe);
    await pause(true);
    const [waiting] = await bench.run(worker, [owed.id], 3);
    expect(waiting).toMatchObject(PAUSED);
    expect([await noncesOf(owed.id), await bench.finals(owed.id)]).toEqual([[], 0]);
    await pause(false);
    await bench.run(worker, [owed.id]);
    await expectSwept(owed);
    expect(await safeNonce(safe)).toBe(1);
    await expectFees(1);
  });

  it("only in its block takes nothing there, is made again when it is over, once, and both transactions' fees are booked", async () => {
    const { safe, worker } = await setUp();
    const owed = await enqueuePayment(safe);
    await runTransfersOnce(worker, chain.chain);
    await mineAfter(owed, worker, () => pause(true));
    const [waiting] = await bench.run(worker, [owed.id], 6);
    expect(waiting).toMatchObject(PAUSED);
    expect([await noncesOf(owed.id), await bench.finals(owed.id)]).toEqual([[[0, true]], 0]);
    expect([await bench.tokenBalance(safe), await safeNonce(safe)]).toEqual([100_000_000n, 0]);
    await expectFees(1);
    await pause(false);
    await bench.run(worker, [owed.id]);
    await expectSwept(owed);
    expect(await noncesOf(owed.id)).toEqual([
      [0, true],
      [1, false],
    ]);
    expect([await bench.tokenBalance(safe), await safeNonce(safe)]).toEqual([60_000_000n, 1]);
    await expectFees(2);
  });
});

/** Mines a sweep that was sent, behind something that comes into the chain before it. */
async function mineAfter(owed: Transfer, worker: TransferEngine, happens: () => Promise<void>): Promise<void> {
  expect((await bench.transfer(owed.id)).state).toBe("broadcast");
  await chain.call("anvil_dropTransaction", (await bench.transaction(owed.id)).attempts[0]?.hash);
  await happens();
  await runTransfersOnce(worker, chain.chain);
  await chain.mine();
}

async function setBlocked(wallet: Address, blocked: boolean): Promise<void> {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: blocked ? "blockWallet" : "unblockWallet", args: [wallet] });
  await sendAsOwner(chain.rpcUrl, { to: chain.tokens.USDT, data });
}

/** Every nonce that the transfer was given, and whether its transaction was superseded. */
async function noncesOf(id: string) {
  const rows =
    await bench.sql`select nonce::int, superseded_at is not null as vain from transactions where transfer_id = ${id} order by nonce`;
  return rows.map(({ nonce, vain }) => [nonce, vain]);
}

/** So many transactions are final, and the books have what each of them took from its wallet, once: to the wei. */
async function expectFees(transactions: number): Promise<void> {
  const [booked] = await bench.sql`select count(*)::int, sum(fee_base)::text as fees from network_fees`;
  const [posted] = await bench.sql`select sum(amount)::text as fees from ledger_postings where account = 'network_fees'`;
  const spent = 100n * 10n ** 18n - (await bench.etherBalance(bench.addresses[0] ?? ""));
  expect([booked?.count, BigInt(booked?.fees ?? 0), BigInt(posted?.fees ?? 0)]).toEqual([transactions, spent, spent]);
  // The sweeps here belong to no withdrawal.
  const asked = transferRules(null).filter(({ name }) => name !== "transfer_has_an_owner");
  const rules = await Promise.all(asked.map((rule) => askRule(bench.db, rule)));
  expect(rules.flatMap(({ rule, violations }) => violations.map(({ detail }) => `${rule}: ${detail}`))).toEqual([]);
}

describe("two sweeps of one Safe", () => {
  it("at once are both made, once each, whatever the Safe's own count", async () => {
    const { safe, worker } = await setUp();
    const owed = [await enqueuePayment(safe), await enqueuePayment(safe)];
    await bench.run(
      worker,
      owed.map(({ id }) => id),
    );
    await expectSwept(...owed);
    expect(await safeNonce(safe)).toBe(2);
    expect(await bench.tokenBalance(safe)).toBe(20_000_000n);
  });

  it("for which there is enough for one: one is made and the other fails, with nothing taken twice", async () => {
    const { safe, worker } = await setUp();
    const owed = [await enqueuePayment(safe, 70_000_000n), await enqueuePayment(safe, 60_000_000n)];
    const done = await bench.run(
      worker,
      owed.map(({ id }) => id),
    );
    expect(done.map(({ state }) => state).sort()).toEqual(["executed", "failed"]);
    const failed = done.find(({ state }) => state === "failed");
    expect(failed?.failureReason).toBe("The Safe holds too little of the token.");
    const made = done.find(({ state }) => state === "executed");
    expect(await bench.tokenBalance(safe)).toBe(100_000_000n - (made?.amountBase ?? 0n));
  });

  it("of which the first is lost in a reorganisation are both made once in the end", async () => {
    const { safe, worker } = await setUp({ confirmations: 4 });
    const first = await enqueuePayment(safe);
    await runTransfersOnce(worker, chain.chain);
    await chain.mine(2);
    await runTransfersOnce(worker, chain.chain);
    expect((await bench.transfer(first.id)).state).toBe("mined");
    await chain.call("anvil_reorg", 2, []);
    expect(await bench.tokenBalance(first.recipient)).toBe(0n);
    const second = await enqueuePayment(safe);
    await bench.run(worker, [first.id, second.id], 24);
    await expectSwept(first, second);
    expect(bench.moves).toContain("mined broadcast");
    expect(await safeNonce(safe)).toBe(2);
  });
});

describe("a worker that dies over a sweep", () => {
  // No check is asked about these: none of them is held.
  const STEPS = TRANSFER_STEPS.filter((step) => !/^(bump|forfeit)_/.test(step) && step !== "held");
  for (const step of STEPS) {
    it(`at "${step}" leaves it to another, and the Safe is swept once`, async () => {
      const { safe, worker } = await setUp();
      await bench.sql`update wallets set lease_until = null, lease_owner = null`;
      const owed = await enqueuePayment(safe);
      expect(await runToDeath(doomed(step), chain), "the step was reached").toBe(true);
      await bench.letLeasesLapse();
      await bench.run(worker, [owed.id], 16);
      await expectSwept(owed);
      expect(await safeNonce(safe)).toBe(1);
    });
  }
});

function doomed(step: TransferStep): TransferEngine {
  return bench.newWorker({
    observe: (reached) => {
      if (reached === step) throw new Died(`died at ${step}`);
    },
  });
}
