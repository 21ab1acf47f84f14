import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import type { Transfer } from "#domain/transfer.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** Rows that say that a payment came to nothing: the chain is asked, and the journal names what to ask about. */

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
let witness: RpcProxy;
let paid: Transfer;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  node = await startRpcProxy(chain.rpcUrl);
  witness = await startRpcProxy(chain.rpcUrl);
  bench = await openTransferBench(chain, { rpcUrls: [node.url, witness.url] });
  paid = await bench.enqueuePayment();
});
afterEach(async () => {
  await bench.close();
  await Promise.all([node.stop(), witness.stop()]);
});
afterAll(() => chain.stop());

async function passes(count: number): Promise<void> {
  await bench.letLeasesLapse();
  const worker = bench.newWorker();
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

/** As somebody who may write every row: the payment is queued once more, and what was signed for it counts as superseded. */
async function forgeQueued(more = ""): Promise<void> {
  const owner = openDatabase({ url: bench.url, applicationName: "intruder", maxConnections: 1 });
  const statements = [
    ...["transfers", "transactions", "transaction_attempts"].map((table) => `alter table ${table} disable trigger user`),
    "update transactions set superseded_at = now()",
    "update transfers set state = 'queued', tx_hash = null, block_number = null, block_hash = null, executed_at = null, due_at = now(), rest_until = null",
    ...(more === "" ? [] : [more]),
  ];
  for (const statement of statements) await owner.db.execute(sql.raw(statement));
  await owner.close();
}

const received = async () => Number((await bench.tokenBalance(paid.recipient)) / paid.amountBase);
const refusals = async () =>
  (await listOpenHalts({ db: bench.db })).map(({ cause, evidence }) => [
    cause,
    (evidence as { refused: { fault: string }[] }).refused[0]?.fault,
  ]);
const attempts = () => bench.sql`select hash from transaction_attempts a join transactions t on t.id = a.transaction_id
  where t.transfer_id = ${paid.id} and t.superseded_at is not null`;

it.each([
  ["is as it was", "", "owner_paid"],
  ["has lost its attempt", "delete from transaction_attempts", "not_looked_up"],
  ["calls the payment a cancellation", "update transaction_attempts set kind = 'cancellation'", "not_looked_up"],
  ["pays somebody else", `update transfers set recipient = '${newAddress()}'`, "owner_paid"],
  ["is of another nonce", "update transactions set nonce = nonce + 1000", "owner_paid"],
])(
  "a payment that was made, and a row that says it came to nothing: where the database %s, it halts and pays nothing",
  async (_, forged, fault) => {
    await bench.run(bench.newWorker(), [paid.id]);
    expect(await received()).toBe(1);
    await forgeQueued(forged);
    await passes(6);
    expect([await received(), await refusals()]).toEqual([1, [["journal_contradiction", fault]]]);
  },
);

it("a payment that is still in the pool waits until the chain has decided, and is made once", async () => {
  await runTransfersOnce(bench.newWorker(), chain.chain);
  await forgeQueued();
  await bench.letLeasesLapse();
  const worker = bench.newWorker();
  await runTransfersOnce(worker, chain.chain);
  expect(await attempts()).toHaveLength(1);
  expect(await bench.transfer(paid.id)).toMatchObject({ state: "signed", waitingReason: expect.stringContaining("not finally spent") });
  expect(await listOpenHalts({ db: bench.db })).toEqual([]);
  await passes(6);
  expect(await received()).toBe(1);
});

it("a payment that reverted for good waits for a node that does not answer, and is made again with it", async () => {
  let [lies, isSilent] = [1, false];
  node.rule = (method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass");
  witness.rule = () => (isSilent ? "swallow" : "pass");
  const worker = bench.newWorker();
  const nonces = async () => (await bench.sql`select 1 from transactions where transfer_id = ${paid.id}`).length;
  for (let pass = 0; pass < 12 && (await nonces()) < 2; pass += 1) {
    isSilent = (await bench.sql`select 1 from transactions where superseded_at is not null`).length > 0;
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
  expect([await nonces(), await received()]).toEqual([2, 0]);
  expect(await bench.transfer(paid.id)).toMatchObject({ waitingReason: expect.stringContaining("every node of the chain answers") });
  expect(await listOpenHalts({ db: bench.db })).toEqual([]);
  isSilent = false;
  await bench.run(worker, [paid.id]);
  expect([await received(), (await bench.transfer(paid.id)).state]).toEqual([1, "executed"]);
});
