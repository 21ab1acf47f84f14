import { randomUUID } from "node:crypto";
import { type Address, encodeAbiParameters, encodeFunctionData, keccak256, parseAbi } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { insertPool, listPools } from "#db/queries/fiat/fiat-pools.ts";
import { listProviderEvents } from "#db/queries/fiat/provider-statement.ts";
import { findTopup } from "#db/queries/fiat/topups.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { members } from "#db/schema/members.ts";
import { railSignature } from "#domain/rail-signature.ts";
import { deploySafeContracts, ensureSafe } from "#sandbox/chain/safes.ts";
import { pauseToken, sendAsOwner } from "#sandbox/chain/tokens.ts";
import { TRANSFER_STEPS } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { planSweep } from "#server/engines/payments/signing/plan-sweep.ts";
import { makeSimulatedCalls } from "#server/engines/simulated-rail/make-simulated-calls.ts";
import { simulatedRail } from "#server/engines/simulated-rail/simulated-rail.ts";
import { drawUpWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import { requestTopup } from "#server/services/fiat/request-topup.ts";
import { requestWithdrawal } from "#server/services/fiat/request-withdrawal.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { silentLog } from "#testing/callbacks.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { Died, mortal } from "#testing/death.ts";
import { addPartner, addTerms, setClockOffset, setRate, type TestPartner } from "#testing/factories.ts";
import { onlyRail } from "#testing/fiat.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { TEST_PROVIDERS, TEST_RAIL_SECRET } from "#testing/surface.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { createFiatEngine, FIAT_STEPS, type SweepRequest } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

/** The whole flow on a real chain and database, with the sandbox's own provider calling our own addresses. */

let chain: TestChain;
let bench: TransferBench;
let stage: PartnerStage;
let partner: TestPartner;
let safe: Address;
let clockMs: number;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  await deploySafeContracts(chain.rpcUrl);
});
afterEach(async () => {
  await expectCleanAudit({ db: bench.db, evm: bench.ctx.evm });
  await bench.close();
});
afterAll(() => chain.stop());

async function setUp(): Promise<void> {
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  await runTransfersOnce(bench.newWorker(), chain.chain);
  await bench.letLeasesLapse();
  safe = await ensureSafe(chain.rpcUrl, {
    version: "1.4.1",
    owners: [...bench.addresses],
    threshold: 1,
    saltNonce: BigInt(`0x${randomUUID().replaceAll("-", "")}`),
  });
  await chain.fund(safe, { ether: 0, tokens: 100 });
  partner = await addPartner(bench.db, { walletAddress: safe, chargeFeePercentage: "1.5" });
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  const limits = { minimumMinor: 1n, maximumMinor: 10_000_000n, lowWaterMinor: 0n };
  await insertPool(bench.db, { currency: "KES", totalMinor: 10_000_000n, ...limits }, new Date());
  stage = openPartnerStage(bench.db, { log: silentLog });
  clockMs = 0;
}

const ACCOUNT = "+254700000000";
const powers = () => ({ ...bench.ctx, chains: bench.ctx.evm, mode: "sandbox" as const, fiatProviders: TEST_PROVIDERS });

async function withdraw(values: { amountMinor?: bigint; account?: string } = {}): Promise<string> {
  const command = {
    ...partner,
    externalId: randomUUID(),
    externalUserId: null,
    amountMinor: values.amountMinor ?? 100_000n,
    currency: "KES",
    sourceCurrency: "USDT",
    chain: chain.chain,
    destination: { type: "mobile_money" as const, account: values.account ?? ACCOUNT, name: "Wanjiru" },
    callbackUrl: "http://localhost:9/fiat",
  };
  return (await requestWithdrawal(powers(), command, () => drawUpWithdrawal(powers(), command))).withdrawal.id;
}

async function topUp(values: { wallet?: string; account?: string } = {}): Promise<{ id: string; wallet: string }> {
  const wallet = values.wallet ?? newAddress();
  const id = randomUUID();
  const now = new Date();
  const phone = `+2547${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;
  const member = { id, partnerId: partner.partnerId, externalUserId: id, phone, walletAddress: wallet, chain: chain.chain };
  await bench.db.insert(members).values({ ...member, createdAt: now, updatedAt: now });
  const { topup } = await requestTopup(powers(), {
    ...partner,
    externalId: randomUUID(),
    externalUserId: id,
    amountMinor: 100_000n,
    currency: "KES",
    destinationCurrency: "USDT",
    chain: chain.chain,
    source: { type: "mobile_money", account: values.account ?? ACCOUNT },
    callbackUrl: "http://localhost:9/fiat",
  });
  return { id: topup.id, wallet };
}

/** A worker process: its memory dies with it. */
function newWorker(observe?: () => void) {
  const dying = observe ? { observe } : {};
  const transfers = bench.newWorker(dying);
  const ctx = powers();
  const rails = { rails: onlyRail(simulatedRail(ctx)), planSweep: (sweep: SweepRequest) => planSweep(ctx, sweep) };
  const orders = createFiatEngine({ ...rails, ...mortal(ctx, observe) });
  return async () => {
    await runOrdersOnce(orders, "withdrawals");
    await runOrdersOnce(orders, "topups");
    await runTransfersOnce(transfers, chain.chain);
  };
}

/** The provider's calls of this moment, as they come over the wire. */
async function letProviderCall(): Promise<void> {
  await makeSimulatedCalls(bench.ctx, async (path, body) => {
    const { status } = await stage.call("POST", path, { body, headers: { "X-Signature": railSignature(TEST_RAIL_SECRET, body) } });
    return status;
  });
}

async function passTime(): Promise<void> {
  await chain.mine();
  clockMs += 4_000;
  await setClockOffset(bench.db, clockMs);
  await letProviderCall();
}

const stepOf = async (id: string) => (id.startsWith("wd_") ? await findWithdrawal(bench.db, id) : await findTopup(bench.db, id))?.step;
const ENDS = ["paid", "released", "returned", "unreturned", "sent", "uncollected", "unsent"];

async function untilEnded(ids: readonly string[], work = newWorker()): Promise<(string | undefined)[]> {
  for (let pass = 0; pass < 40; pass += 1) {
    const steps = await Promise.all(ids.map(stepOf));
    if (steps.every((step) => ENDS.includes(step ?? ""))) return steps;
    await work();
    await passTime();
  }
  return await Promise.all(ids.map(stepOf));
}

const TAKEN = 7_815_501n;
const SENT = 7_584_500n;
const held = (address: string) => bench.tokenBalance(address);
const events = async (id: string) => (await listCallbacksOf(bench.db, [id])).map(({ event }) => event);

describe("on a real chain", () => {
  it("a withdrawal takes the crypto out of the Safe, and only then fiat is paid", async () => {
    await setUp();
    const treasury = bench.addresses[0] as Address;
    const before = await held(treasury);
    const id = await withdraw();
    expect(await untilEnded([id])).toEqual(["paid"]);
    expect([await held(safe), (await held(treasury)) - before]).toEqual([100_000_000n - TAKEN, TAKEN]);
    const done = await findWithdrawal(bench.db, id);
    expect(done?.txHash).toBe((await bench.sql`select tx_hash from transfers where owner_id = ${id}`)[0]?.tx_hash);
    expect(await events(id)).toEqual(["withdrawal.completed"]);
    expect((await listPools(bench.db))[0]).toMatchObject({ totalMinor: 9_900_000n, reservedMinor: 0n });
  });

  it("a top-up sends the crypto once the fiat is collected", async () => {
    await setUp();
    const { id, wallet } = await topUp();
    expect(await untilEnded([id])).toEqual(["sent"]);
    expect(await held(wallet)).toBe(SENT);
    expect(await events(id)).toEqual(["topup.completed"]);
  });

  it("a payout that fails gives the Safe everything back", async () => {
    await setUp();
    const id = await withdraw({ account: "+254700999901" });
    expect(await untilEnded([id])).toEqual(["returned"]);
    expect(await held(safe)).toBe(100_000_000n);
    expect(await events(id)).toEqual(["withdrawal.failed"]);
    expect((await listPools(bench.db))[0]).toMatchObject({ totalMinor: 10_000_000n, reservedMinor: 0n });
  });

  it("several withdrawals from one Safe at once do not block each other, and one that fails blocks no other", async () => {
    await setUp();
    const ids = [await withdraw(), await withdraw({ account: "+254700999909" }), await withdraw(), await withdraw()];
    expect(await untilEnded(ids)).toEqual(["paid", "returned", "paid", "paid"]);
    expect(await held(safe)).toBe(100_000_000n - 3n * TAKEN);
    const blocks = await bench.sql`select distinct block_number from transfers where purpose = 'sweep'`;
    expect(blocks, "they were swept side by side").toHaveLength(1);
  });

  it("a Safe that is blocked after it was promised from is not swept, and nothing is paid", async () => {
    await setUp();
    const id = await withdraw();
    const data = encodeFunctionData({ abi: parseAbi(["function blockWallet(address)"]), functionName: "blockWallet", args: [safe] });
    await sendAsOwner(chain.rpcUrl, { to: chain.tokens.USDT, data });
    expect(await untilEnded([id])).toEqual(["released"]);
    expect((await findWithdrawal(bench.db, id))?.failureReason).toMatch(/blocklist/);
    expect(await held(safe)).toBe(100_000_000n);
    expect(await listProviderEvents(bench.db, id)).toEqual([]);
  });

  it("a sweep that the chain reverts takes nothing, and nothing is paid", async () => {
    await setUp();
    const id = await withdraw();
    const work = newWorker();
    await work();
    const state = async () => (await bench.sql`select state from transfers where owner_id = ${id}`)[0]?.state;
    expect(await state()).toBe("broadcast");
    // In flight, and not in a block yet: somebody else takes the Safe's tokens.
    const slot = keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [safe, 0n]));
    await chain.call("anvil_setStorageAt", chain.tokens.USDT, slot, `0x${"0".repeat(64)}`);
    expect(await held(safe)).toBe(0n);
    expect(await untilEnded([id], work)).toEqual(["released"]);
    expect(await state()).toBe("failed");
    expect(await events(id)).toEqual(["withdrawal.failed"]);
    expect(await listProviderEvents(bench.db, id)).toEqual([]);
    expect((await listPools(bench.db))[0]).toMatchObject({ totalMinor: 10_000_000n, reservedMinor: 0n });
  });

  it("a sweep that the chain reverts for an issuer's pause is made again when that is over, and fiat is paid once", async () => {
    await setUp();
    const id = await withdraw();
    const work = newWorker();
    await work();
    const sweep = async () => (await bench.sql`select * from transfers where purpose = 'sweep' and owner_id = ${id}`)[0];
    const vain = async () =>
      (
        await bench.sql`select a.hash from transactions x join transaction_attempts a on a.transaction_id = x.id where x.superseded_at is not null`
      ).map(({ hash }) => hash);
    await chain.call("anvil_dropTransaction", (await bench.transaction(String((await sweep())?.id))).attempts[0]?.hash);
    await pauseToken(chain.rpcUrl, chain.tokens.USDT, true);
    try {
      for (let pass = 0; pass < 8; pass += 1) {
        await work();
        await passTime();
      }
      expect(await sweep()).toMatchObject({ state: "queued", waiting_reason: "The token's issuer has paused all transfers." });
      expect([await stepOf(id), await held(safe), await events(id)]).toEqual(["sweeping", 100_000_000n, []]);
      expect(await vain()).toHaveLength(1);
      expect((await listPools(bench.db))[0]).toMatchObject({ totalMinor: 10_000_000n, reservedMinor: 100_000n });
    } finally {
      await pauseToken(chain.rpcUrl, chain.tokens.USDT, false);
    }
    expect(await untilEnded([id], work)).toEqual(["paid"]);
    expect(await held(safe)).toBe(100_000_000n - TAKEN);
    expect(await events(id)).toEqual(["withdrawal.completed"]);
    const booked = (await bench.sql`select hash from network_fees where transfer_id = ${String((await sweep())?.id)}`).map(
      ({ hash }) => hash,
    );
    expect(booked.toSorted()).toEqual([...(await vain()), (await sweep())?.tx_hash].toSorted());
  });

  it("a top-up to a wallet that the token refuses fails, with the reason", async () => {
    await setUp();
    const { id } = await topUp({ wallet: chain.blockedWallet });
    expect(await untilEnded([id])).toEqual(["unsent"]);
    expect((await findTopup(bench.db, id))?.failureReason).toMatch(/blocklist/);
  });

  it("a chain reorganised under a sweep neither loses nor doubles it", async () => {
    await setUp();
    const id = await withdraw();
    const work = newWorker();
    for (let pass = 0; pass < 3; pass += 1) {
      await work();
      await chain.mine();
    }
    expect((await bench.sql`select state from transfers where owner_id = ${id}`)[0]?.state).toBe("mined");
    await chain.call("anvil_reorg", 2, []);
    expect(await untilEnded([id], work)).toEqual(["paid"]);
    expect(await held(safe)).toBe(100_000_000n - TAKEN);
  });
});

describe("the simulated provider", () => {
  it.each<[string, string, string[]]>([
    ["999902", "paid", ["callback applied"]],
    ["999903", "paid", ["callback applied", "callback repeated", "callback repeated"]],
    ["999904", "paid", ["callback applied", "callback contradicted"]],
    ["999905", "returned", ["callback applied", "callback contradicted"]],
    ["999906", "paid", ["look_up applied"]],
    ["999907", "paid", ["callback applied", "callback contradicted"]],
    ["999908", "returned", ["look_up applied"]],
    ["999909", "returned", ["answer applied"]],
  ])("for an account ending in %s leads to %s", async (ending, step, words) => {
    await setUp();
    const id = await withdraw({ account: `+254700${ending}` });
    const work = newWorker();
    for (let pass = 0; pass < 8; pass += 1) {
      await work();
      await passTime();
    }
    // The slow one's ten minutes, and the hour after which a silent one is asked.
    for (const offset of [700_000, 3_800_000]) {
      clockMs += offset;
      await passTime();
      await work();
    }
    expect(await untilEnded([id], work)).toEqual([step]);
    await passTime();
    expect((await listProviderEvents(bench.db, id)).map(({ source, effect }) => `${source} ${effect}`)).toEqual(words);
    expect(await held(safe)).toBe(step === "paid" ? 100_000_000n - TAKEN : 100_000_000n);
  });
});

it("however often workers die, between whatever steps, every order ends once and every balance is exact", async () => {
  await setUp();
  const treasury = bench.addresses[0] as Address;
  const before = await held(treasury);
  const paid = [await withdraw(), await withdraw()];
  const returned = [await withdraw({ account: "+254700999901" })];
  const sent = [await topUp(), await topUp()];
  const ids = [...paid, ...returned, ...sent.map(({ id }) => id)];
  const deaths = TRANSFER_STEPS.length + FIAT_STEPS.length;
  for (let pass = 0; pass < 3 * deaths; pass += 1) {
    let left = 1 + ((pass * 7) % 11);
    const doomed = newWorker(() => {
      left -= 1;
      if (left === 0) throw new Died("died");
    });
    await doomed().catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
    await bench.letLeasesLapse();
    await bench.sql`update withdrawals set lease_until = null, lease_token = null`;
    await bench.sql`update topups set lease_until = null, lease_token = null`;
    if (pass % 2 === 0) await passTime();
  }
  await bench.letLeasesLapse();
  const steps = await untilEnded(ids);
  expect(steps).toEqual(["paid", "paid", "returned", "sent", "sent"]);
  expect(await held(safe)).toBe(100_000_000n - 2n * TAKEN);
  for (const { wallet } of sent) expect(await held(wallet)).toBe(SENT);
  expect((await held(treasury)) - before).toBe(2n * TAKEN - 2n * SENT);
  for (const id of ids) expect(await events(id)).toHaveLength(1);
  expect((await listPools(bench.db))[0]).toMatchObject({ totalMinor: 10_000_000n, reservedMinor: 0n });
});
