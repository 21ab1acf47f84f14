import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { paymentDuties } from "#server/engines/payments/duties.ts";
import { createTransferEngine, type TransferContext, type TransferEngine, type TransferStep } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { Signer } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died, mortal } from "#testing/death.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { renewWalletLeases } from "./renew-leases.ts";

/** What a payment may wait for when its worker is killed, with the next worker's pass each second. */
const MISSED_AFTER_MS = 5_000;

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  bench = await openTransferBench(chain);
  return () => bench.close();
});
afterAll(async () => {
  await chain.stop();
});

/** As the real worker process paces itself. */
function realTimings(workerId: string, ctx: TransferContext = bench.ctx): TransferEngine {
  return createTransferEngine({ ctx, workerId, onFinal: async () => {} });
}

async function leasesMs(): Promise<number[]> {
  const rows = await bench.sql`
    select extract(epoch from lease_until - clock_timestamp()) * 1000 as ms from wallets where lease_until is not null
    union all select extract(epoch from lease_until - clock_timestamp()) * 1000 from transfers where lease_token is not null`;
  return rows.map(({ ms }) => Number(ms));
}

it("a killed worker keeps neither wallet nor payment from another for longer than five seconds", async () => {
  await bench.enqueuePayment();
  const fate = mortal(bench.ctx, (step: TransferStep) => {
    if (step === "simulated") throw new Died("killed with a wallet and a payment in hand");
  });
  const killed = createTransferEngine({
    ...fate,
    workerId: "killed",
    onFinal: async () => {},
  });
  await expect(runTransfersOnce(killed, chain.chain)).rejects.toThrow(Died);
  const [pass] = paymentDuties(killed);
  const leases = await leasesMs();
  expect(leases).toHaveLength(2);
  for (const ms of leases) expect(ms + (pass?.everyMs ?? 0)).toBeLessThan(MISSED_AFTER_MS);
});

it("of two workers side by side the one that renews keeps what it has in hand, however long its pass takes", async () => {
  const first = realTimings("first");
  await runTransfersOnce(first, chain.chain);
  const owed = await bench.enqueuePayment();
  const simulation = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const found = chainOf();
  const nodes = found.nodes.map((node) => ({
    ...node,
    async simulate(...args: Parameters<typeof node.simulate>) {
      asked.resolve();
      await simulation.promise;
      return await node.simulate(...args);
    },
  }));
  const slow = realTimings("first", { ...bench.ctx, evm: { ...bench.ctx.evm, find: () => ({ ...found, nodes }) } });
  const pass = runTransfersOnce(slow, chain.chain);
  await asked.promise;
  await bench.letLeasesLapse();
  await slow.claims.renew();
  await renewWalletLeases(slow);
  const second = bench.newWorker({ workerId: "second" });
  await runTransfersOnce(second, chain.chain);
  expect((await bench.transfer(owed.id)).state).toBe("queued");
  const [held] = await bench.sql`select lease_owner from wallets`;
  expect(held?.lease_owner).toBe("first");
  simulation.resolve();
  await pass;
  expect((await bench.transfer(owed.id)).state).toBe("broadcast");
});

it("a pass that has stuck is not renewed: another goes on, and the stuck one can write nothing more", async () => {
  const stuck = realTimings("stuck");
  await runTransfersOnce(stuck, chain.chain);
  const ahead = { ...bench.ctx, clock: { now: () => new Date(Date.now() + stuck.timings.stuckMs) } };
  await bench.letLeasesLapse();
  await renewWalletLeases({ ...stuck, ctx: ahead });
  const owed = await bench.enqueuePayment();
  const [done] = await bench.run(bench.newWorker({ workerId: "second" }), [owed.id]);
  expect(done?.state).toBe("executed");
  await renewWalletLeases(stuck);
  const [held] = await bench.sql`select lease_owner from wallets`;
  expect(held?.lease_owner).toBe("second");
});

it("a pass that is left when its worker stops has nothing in hand any more: another pays at once, and it stores nothing", async () => {
  const [key] = bench.signers;
  if (key === undefined) throw new Error("no signer");
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const silent: Signer = {
    ...key,
    async signTransaction(unsigned) {
      asked.resolve();
      await answer.promise;
      return await key.signTransaction(unsigned);
    },
  };
  const stopping = bench.newWorker({ ctx: { ...bench.ctx, signers: bench.signersOf({ keys: [silent] }) } });
  const [duty] = paymentDuties(stopping);
  const owed = await bench.enqueuePayment();
  const left = duty?.run(new AbortController().signal);
  await asked.promise;
  await duty?.drain?.();
  const [done] = await bench.run(bench.newWorker(), [owed.id]);
  expect(done?.state).toBe("executed");
  answer.resolve();
  await left;
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
  expect(await bench.sql`select nonce from transactions`).toHaveLength(1);
  expect(await bench.sql`select 1 from transaction_attempts`).toHaveLength(1);
});

it("a chain that a worker cannot reach does not keep its wallets", async () => {
  const worker = bench.newWorker();
  await runTransfersOnce(worker, chain.chain);
  expect(worker.memory.inHand.size).toBe(1);
  const cut = { ...bench.ctx.evm, find: () => ({ ...chainOf(), nodes: [] }) };
  await runTransfersOnce({ ...worker, ctx: { ...bench.ctx, evm: cut } }, chain.chain);
  expect(worker.memory.inHand.size).toBe(0);
});

function chainOf() {
  const found = bench.ctx.evm.find(chain.chain);
  if (found === null) throw new Error("the bench has no such chain");
  return found;
}
