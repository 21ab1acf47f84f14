import type { Address } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { type Signer, Unreachable } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

const REST_MS = 60_000;

let chain: TestChain;
let bench: TransferBench;
let low: Address;
let rich: Address;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  bench = await openTransferBench(chain, { wallets: 2, funded: false });
  [low = "0x", rich = "0x"] = bench.addresses;
  await chain.fund(rich);
  await chain.call("anvil_setBalance", low, "0xde0b6b3a7640000");
  await chain.mine();
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

function signers(): [Signer, Signer] {
  const [lowKey, richKey] = bench.signers;
  if (lowKey === undefined || richKey === undefined) throw new Error("two wallets are needed");
  return [lowKey, richKey];
}
const pass = (worker: ReturnType<typeof workerOf>) => runTransfersOnce(worker.engine, chain.chain);

/** A worker that has these wallets' keys, and how often it has claimed something. */
function workerOf(...keys: readonly Signer[]) {
  const worker = { claims: 0, engine: null as unknown as ReturnType<TransferBench["newWorker"]> };
  const observe = (step: string) => {
    if (step === "claimed") worker.claims += 1;
  };
  worker.engine = bench.newWorker({ ctx: { ...bench.ctx, signers: bench.signersOf({ keys }) }, timings: { restMs: REST_MS }, observe });
  return worker;
}

/** The rest of what a transfer says. */
async function standing(id: string) {
  const [row] = await bench.sql<{ state: string; waiting_reason: string | null; rests: boolean; leased: boolean }[]>`
    select state, waiting_reason, rest_until > clock_timestamp() is true as rests, lease_until > clock_timestamp() is true as leased
    from transfers where id = ${id}`;
  return row;
}
const DUE = { state: "queued", waiting_reason: null, rests: false, leased: false };

/** Another worker holds the rich wallet, and has nothing to do yet. */
async function otherWith(key: Signer) {
  const other = workerOf(key);
  await pass(other);
  return other;
}

describe("a worker that holds only a wallet which cannot pay", () => {
  it("leaves the payment to the worker whose wallet can, and lets it neither rest nor wait", async () => {
    const [lowKey, richKey] = signers();
    const other = await otherWith(richKey);
    // It has the keys of both, and gets one wallet.
    const poor = workerOf(lowKey, richKey);
    const owed = await bench.enqueuePayment();
    await pass(poor);
    expect(await standing(owed.id)).toEqual(DUE);
    expect(poor.claims).toBe(1);
    // Nor does it block the other again at once.
    await pass(poor);
    expect(poor.claims).toBe(1);
    await pass(other);
    expect((await standing(owed.id))?.state).toBe("broadcast");
  });

  it("pays what it can itself, smaller ones of the same token too", async () => {
    const [lowKey, richKey] = signers();
    const other = await otherWith(richKey);
    await chain.fund(low);
    await chain.fund(rich, { ether: 100, tokens: 2_000_000 });
    await chain.mine();
    const poor = workerOf(lowKey, richKey);
    const large = await bench.enqueuePayment({ amountBase: 1_500_000_000_000n });
    await pass(poor);
    const small = await bench.enqueuePayment({ amountBase: 5n });
    await pass(poor);
    expect((await standing(small.id))?.state).toBe("broadcast");
    expect(await standing(large.id)).toEqual(DUE);
    await pass(other);
    expect((await standing(large.id))?.state).toBe("broadcast");
  });

  it("leaves payments also where the fee is missing", async () => {
    const [lowKey, richKey] = signers();
    const other = await otherWith(richKey);
    await chain.fund(low);
    await chain.call("anvil_setBalance", low, "0x0");
    await chain.mine();
    const poor = workerOf(lowKey, richKey);
    const owed = await bench.enqueuePayment();
    await pass(poor);
    expect(await standing(owed.id)).toEqual(DUE);
    await pass(other);
    expect((await standing(owed.id))?.state).toBe("broadcast");
  });

  it("says what is so when no wallet of the treasury can pay: of all of them, and of those that sign where some do not", async () => {
    const [lowKey, richKey] = signers();
    await otherWith(richKey);
    const poor = workerOf(lowKey, richKey);
    const much = await bench.enqueuePayment({ amountBase: 2_000_000_000_000n });
    await pass(poor);
    expect(await standing(much.id)).toMatchObject({
      rests: true,
      waiting_reason: "No treasury wallet on Test chain holds 2000000 USDT that is not promised yet.",
    });
    await bench.sql`update wallets set state = 'draining' where address = ${rich}`;
    const one = await bench.enqueuePayment();
    await pass(poor);
    expect(await standing(one.id)).toMatchObject({
      rests: true,
      waiting_reason: "No treasury wallet on Test chain that signs just now holds 12.345678 USDT that is not promised yet.",
    });
  });

  it("leaves no more than the other's wallet can pay", async () => {
    const [lowKey, richKey] = signers();
    await otherWith(richKey);
    const owed = [
      await bench.enqueuePayment({ amountBase: 600_000_000_000n }),
      await bench.enqueuePayment({ amountBase: 600_000_000_000n }),
    ];
    await pass(workerOf(lowKey, richKey));
    const rests = await Promise.all(owed.map(async ({ id }) => (await standing(id))?.rests));
    expect(rests.toSorted()).toEqual([false, true]);
  });
});

describe("a worker that cannot sign at all", () => {
  it("leaves everything to another that can: neither its token nor its doubts are a reason for the payment to wait", async () => {
    const [lowKey, richKey] = signers();
    const other = await otherWith(richKey);
    const broken: Signer = { ...lowKey, address: () => Promise.reject(new Unreachable("no token")) };
    const owed = await bench.enqueuePayment();
    await pass(workerOf(broken));
    expect(await standing(owed.id)).toEqual(DUE);
    const drained = workerOf(lowKey);
    await pass(drained);
    await bench.sql`update wallets set state = 'draining' where address = ${low}`;
    await pass(drained);
    expect(await standing(owed.id)).toEqual(DUE);
    await pass(other);
    expect((await standing(owed.id))?.state).toBe("broadcast");
  });

  it("rests what is owed, with its reason, when no other worker pays either", async () => {
    const [lowKey] = signers();
    const broken: Signer = { ...lowKey, address: () => Promise.reject(new Unreachable("no token")) };
    const owed = await bench.enqueuePayment();
    await pass(workerOf(broken));
    expect(await standing(owed.id)).toMatchObject({ rests: true, waiting_reason: "No treasury wallet's signer can be opened." });
  });
});
