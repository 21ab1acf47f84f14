import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Transfer } from "#domain/transfer.ts";
import { PACKING_CONTRACT } from "#server/adapters/chain/evm/packing/packing-contract.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { allowPacking } from "#testing/packing.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { roomOf } from "./pack-parts.ts";

/** How many payments go into one transaction: its room, its size, and whether it is cheaper. */

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  await allowPacking(chain, []);
  node = await startRpcProxy(chain.rpcUrl);
});
afterEach(() => bench.close());
afterAll(async () => {
  await node.stop();
  await chain.stop();
});

async function owe(count: number): Promise<Transfer[]> {
  bench = await openTransferBench(chain, { packing: true, rpcUrls: [node.url] });
  await allowPacking(chain, bench.addresses);
  const worker = bench.newWorker();
  for (let pass = 0; pass < 4; pass += 1) {
    await chain.mine();
    await runTransfersOnce(worker, chain.chain);
  }
  await bench.letLeasesLapse();
  const owed: Transfer[] = [];
  for (let index = 0; index < count; index += 1) owed.push(await bench.enqueuePayment());
  return owed;
}

async function payAll(owed: readonly Transfer[]): Promise<void> {
  await bench.run(
    bench.newWorker(),
    owed.map(({ id }) => id),
  );
  for (const { id, recipient, amountBase } of owed) expect([id, await bench.tokenBalance(recipient)]).toEqual([id, amountBase]);
}

const sizes = async () => {
  const rows = await bench.sql<{ members: number; gas: number }[]>`
    select (select count(*)::int from pack_members m where m.pack_id = x.transfer_id) as members, max(a.gas_limit)::int as gas
    from transactions x join transaction_attempts a on a.transaction_id = x.id group by x.transfer_id order by 1 desc, x.transfer_id`;
  return { members: rows.map(({ members }) => members), gas: Math.max(...rows.map(({ gas }) => gas)) };
};

it("a lone payment waits for nobody: the pass that finds it sends it", async () => {
  const [alone] = await owe(1);
  if (alone === undefined) throw new Error("nothing is owed");
  await runTransfersOnce(bench.newWorker(), chain.chain);
  expect(await bench.transfer(alone.id)).toMatchObject({ state: "broadcast" });
  expect(await sizes()).toMatchObject({ members: [0] });
  await payAll([alone]);
});

it("a transaction has a hundred payments at most, and the one that is left over goes alone at once", async () => {
  await payAll(await owe(101));
  expect((await sizes()).members).toEqual([100, 0]);
});

it("a transaction gets 30 % of a block at most, and 15,000,000 gas", async () => {
  const of = (gasLimit: bigint) => roomOf({ head: { gasLimit } } as Pass);
  expect([of(30_000_000n), of(50_000_000n), of(400_000_000n)]).toEqual([9_000_000n, 15_000_000n, 15_000_000n]);
  const usual = (await chain.call("eth_getBlockByNumber", "latest", false)) as { gasLimit: string };
  await chain.call("evm_setBlockGasLimit", `0x${(3_000_000).toString(16)}`);
  try {
    await payAll(await owe(12));
    const { members, gas } = await sizes();
    expect(members).toEqual([8, 4]);
    expect(gas).toBeLessThanOrEqual(900_000);
  } finally {
    await chain.call("evm_setBlockGasLimit", usual.gasLimit);
  }
});

it("payments go alone where one transaction would use more gas than one for each", async () => {
  const isPacked = (params: unknown[]) =>
    (params[0] as { to?: string } | undefined)?.to?.toLowerCase() === PACKING_CONTRACT.address.toLowerCase();
  node.rule = (method, params) => (method === "eth_estimateGas" && isPacked(params) ? { result: "0x3d0900" } : "pass");
  try {
    await payAll(await owe(3));
    expect((await sizes()).members).toEqual([0, 0, 0]);
  } finally {
    node.rule = () => "pass";
  }
});
