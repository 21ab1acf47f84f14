import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Settlement } from "#domain/settlement.ts";
import type { Transfer } from "#domain/transfer.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner, setClockOffset } from "#testing/factories.ts";
import { type ProxyRule, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { listWaits } from "./list-waits.ts";

let chain: TestChain;
let bench: TransferBench;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await bench.close();
  for (const close of closing.splice(0)) await close();
});
afterAll(() => chain.stop());

async function setUp(options: BenchOptions = {}): Promise<void> {
  bench = await openTransferBench(chain, options);
}

/** As the settlement that it is owed for would ask. */
async function waitOf({ ownerId }: Transfer) {
  const settlement = { id: ownerId, status: "processing" } as Settlement;
  return (await listWaits(bench.ctx, [settlement])).get(ownerId) ?? null;
}

const TOO_MUCH = 10n ** 15n;

describe("a payment that waits says why", () => {
  it("the treasury holds too little: since the first time, however often it is tried, until it goes on", async () => {
    await setUp();
    const owed = await bench.enqueuePayment({ amountBase: TOO_MUCH });
    expect(await waitOf(owed)).toBeNull();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const first = await waitOf(owed);
    expect(first?.kind).toBe("treasury_funding");
    await setClockOffset(bench.db, 3_600_000);
    await runTransfersOnce(worker, chain.chain);
    expect(await waitOf(owed)).toEqual(first);
    for (const address of bench.addresses) await chain.fund(address, { ether: 0, tokens: Number(TOO_MUCH / 1_000_000n) });
    await runTransfersOnce(worker, chain.chain);
    expect([(await bench.transfer(owed.id)).state, await waitOf(owed)]).toEqual(["broadcast", null]);
  });

  it("no node answers, and it is over when one does", async () => {
    let rule: ReturnType<ProxyRule> = "refuse";
    const node = await startRpcProxy(chain.rpcUrl, () => rule);
    closing.push(() => node.stop());
    await setUp({ rpcUrls: [node.url] });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    expect(await waitOf(owed)).toMatchObject({ kind: "chain_unavailable", since: expect.any(Date) });
    rule = "pass";
    await runTransfersOnce(worker, chain.chain);
    expect(await waitOf(owed)).toBeNull();
  });

  it("people look into it", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const { nonce } = await bench.transaction(owed.id);
    const [key] = bench.keys;
    if (key === undefined) throw new Error("the bench has no wallet");
    await bench.spendOutside(key, nonce);
    await chain.mine();
    await bench.run(worker, [owed.id]);
    expect((await bench.transfer(owed.id)).state).toBe("needs_review");
    expect(await waitOf(owed)).toMatchObject({ kind: "review", since: expect.any(Date) });
  });

  it("its scope is halted, whatever else is the matter: the chain's, its partner's, and that of the wallet that signed it", async () => {
    await setUp();
    const { partnerId } = await addPartner(bench.db);
    const worker = bench.newWorker();
    const signed = await bench.enqueuePayment({ partnerId });
    await runTransfersOnce(worker, chain.chain);
    const queued = await bench.enqueuePayment({ amountBase: TOO_MUCH });
    await runTransfersOnce(worker, chain.chain);
    const halt = (kind: "wallet" | "chain" | "partner", key: string) =>
      bench.db.transaction((tx) => haltScope(tx, { scope: { kind, key }, cause: "broken_invariant", detail: "Something broke." }));
    const kinds = async () => [(await waitOf(signed))?.kind, (await waitOf(queued))?.kind];
    expect(await kinds()).toEqual([undefined, "treasury_funding"]);
    const lift = () =>
      bench.sql`update lane_halts set lifted_at = since, lifted_by = 'a', lift_reason = 'It is mended.' where lifted_at is null`;
    const made = await halt("partner", partnerId);
    expect(await waitOf(signed)).toEqual({ kind: "review", since: made?.since });
    expect(await kinds()).toEqual(["review", "treasury_funding"]);
    await lift();
    const [wallet] = await bench.sql<{ id: string }[]>`select id from wallets`;
    await halt("wallet", wallet?.id ?? "");
    expect(await kinds()).toEqual(["review", "treasury_funding"]);
    await lift();
    await halt("chain", chain.chain);
    expect(await kinds()).toEqual(["review", "review"]);
  });
});
