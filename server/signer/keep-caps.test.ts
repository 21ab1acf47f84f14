import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { readCaps } from "#server/config/signer-caps.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** The signer's own caps: they count by its journal, whatever the database says. */

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const UNIT = 1_000_000n;
const capsOf = (hour: bigint | null, day: bigint | null) => [
  { chain: chain.chain, token: chain.tokens.USDT, currency: "USDT", hourBase: hour, dayBase: day },
];
const workerWith = (caps: ReturnType<typeof capsOf>) => bench.newWorker({ ctx: { ...bench.ctx, signers: bench.signersOf({ caps }) } });
const received = async (recipient: string) => (await bench.tokenBalance(recipient)) / UNIT;

it.each(["hour", "day"] as const)(
  "pays up to the cap of an %s, and what is above waits and says so, also after a restart",
  async (window) => {
    bench = await openTransferBench(chain);
    const caps = window === "hour" ? capsOf(25n * UNIT, null) : capsOf(null, 25n * UNIT);
    const owed = await Promise.all([1, 2, 3].map(() => bench.enqueuePayment({ amountBase: 10n * UNIT })));
    const ids = owed.map(({ id }) => id);
    await bench.run(workerWith(caps), ids, 6);
    await bench.letLeasesLapse();
    await bench.run(workerWith(caps), ids, 6);
    const paid = await Promise.all(owed.map(({ recipient }) => received(recipient)));
    expect(paid.toSorted()).toEqual([0n, 10n, 10n]);
    const waiting = owed[paid.indexOf(0n)];
    expect(await bench.transfer(waiting?.id ?? "")).toMatchObject({
      state: "queued",
      waitingReason: expect.stringContaining(`no more USDT in this ${window}`),
    });
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    await bench.letLeasesLapse();
    await bench.run(workerWith(capsOf(30n * UNIT, 30n * UNIT)), ids);
    expect(await received(waiting?.recipient ?? "")).toBe(10n);
  },
);

it("counts by the journal: a database that forgets what was paid, and lines of another date, make no room", async () => {
  bench = await openTransferBench(chain);
  const caps = capsOf(15n * UNIT, null);
  const first = await bench.enqueuePayment({ amountBase: 10n * UNIT });
  await bench.run(workerWith(caps), [first.id]);
  await bench.letLeasesLapse();
  const signers = bench.signersOf({ caps });
  const second = await bench.enqueuePayment({ amountBase: 10n * UNIT });
  const order = { of: { transferId: second.id }, kind: "payment" as const, nonce: 1, gasLimit: 100_000n };
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
  const ask = () => signers.sign({ chain: chain.chain, wallet: bench.addresses[0] ?? "", orders: [{ ...order, fees }] });
  expect(await ask()).toMatchObject([{ outcome: "refused", kind: "capped" }]);
  await bench.sql`update transaction_attempts set signed_at = signed_at - interval '3 days'`.catch(() => {});
  expect(await ask()).toMatchObject([{ outcome: "refused", kind: "capped" }]);
});

it("counts what is signed and not admitted yet, and a higher fee of the same payment not again", async () => {
  bench = await openTransferBench(chain, { bumpAfterSeconds: 0 });
  const caps = capsOf(15n * UNIT, null);
  const owed = await bench.enqueuePayment({ amountBase: 10n * UNIT });
  const worker = workerWith(caps);
  for (let pass = 0; pass < 4; pass += 1) await runTransfersOnce(worker, chain.chain);
  const { attempts } = await bench.transaction(owed.id);
  expect(attempts.length).toBeGreaterThan(1);
  expect(attempts.at(-1)?.broadcastAt).toBeInstanceOf(Date);
  const more = await Promise.all([1, 2].map(() => bench.enqueuePayment({ amountBase: 3n * UNIT })));
  const signers = bench.signersOf({ caps });
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
  const ask = (id: string, nonce: number) =>
    signers.sign({
      chain: chain.chain,
      wallet: bench.addresses[0] ?? "",
      orders: [{ of: { transferId: id }, kind: "payment", nonce, gasLimit: 100_000n, fees }],
    });
  expect(await ask(more[0]?.id ?? "", 1)).toMatchObject([{ outcome: "signed" }]);
  expect(await ask(more[0]?.id ?? "", 1)).toMatchObject([{ outcome: "signed" }]);
  expect(await ask(more[1]?.id ?? "", 2)).toMatchObject([{ outcome: "refused", kind: "capped" }]);
});

it("counts a payment again that is made again: what nodes prove makes no room", async () => {
  let lies = 1;
  const node = await startRpcProxy(chain.rpcUrl, (method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass"));
  try {
    bench = await openTransferBench(chain, { rpcUrls: [node.url], confirmations: 1 });
    const owed = await bench.enqueuePayment({ amountBase: 10n * UNIT });
    await bench.run(workerWith(capsOf(15n * UNIT, null)), [owed.id], 8);
    const nonces = async () => (await bench.sql`select 1 from transactions where transfer_id = ${owed.id}`).length;
    expect([await nonces(), await received(owed.recipient)]).toEqual([1, 0n]);
    expect((await bench.transfer(owed.id)).waitingReason).toContain("no more USDT in this hour");
    await bench.letLeasesLapse();
    await bench.run(workerWith(capsOf(20n * UNIT, null)), [owed.id], 8);
    expect([await nonces(), await received(owed.recipient)]).toEqual([2, 10n]);
  } finally {
    await node.stop();
  }
});

it("holds where two are admitted at once that were signed while neither counted for the other", async () => {
  bench = await openTransferBench(chain);
  const caps = capsOf(15n * UNIT, null);
  await runTransfersOnce(workerWith([]), chain.chain);
  const owed = await Promise.all([1, 2].map(() => bench.enqueuePayment({ amountBase: 10n * UNIT })));
  const [wallet = ""] = bench.addresses;
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
  const without = bench.signersOf({ caps: [] });
  const orders = owed.map(({ id }, nonce) => ({ of: { transferId: id }, kind: "payment" as const, nonce, gasLimit: 100_000n, fees }));
  const signed = await without.sign({ chain: chain.chain, wallet, orders });
  const signers = bench.signersOf({ caps });
  const answers = await Promise.all(
    owed.map(async ({ id, recipient, tokenAddress: token, amountBase, ownerId }, nonce) => {
      const one = signed[nonce];
      if (one?.outcome !== "signed") throw new Error("it was not signed");
      const entry = { chain: chain.chain, wallet, nonce, kind: "payment" as const, owner: `settlement:${ownerId}`, hash: one.hash };
      const order = { transferId: id, entry: { ...entry, at: new Date(), recipient, token, amountBase }, bytes: one.bytes };
      return (await signers.admit(chain.chain, [{ ...order, gasLimit: 100_000n, fees }]))[0];
    }),
  );
  expect(answers.map((answer) => (answer && "bytes" in answer ? "opened" : answer?.fault.code)).toSorted()).toEqual(["capped", "opened"]);
});

it("is read strictly, in units of a token that the chain has", async () => {
  bench = await openTransferBench(chain);
  const chains = [
    { chain: "eip155:1", native: { currency: "ETH", decimals: 18 }, tokens: [{ currency: "USDT", address: "0xaa", decimals: 6 }] },
  ];
  const read = (text: string) => {
    const problems: string[] = [];
    return [readCaps(text, chains as never, (problem) => problems.push(problem)), problems];
  };
  const caps = [
    { chain: "eip155:1", token: "0xaa", currency: "USDT", hourBase: 500_000n, dayBase: null },
    { chain: "eip155:1", token: null, currency: "ETH", hourBase: null, dayBase: 2n * 10n ** 18n },
  ];
  expect(read('{"eip155:1":{"USDT":{"hour":"0.5"},"ETH":{"day":"2"}}}')).toEqual([caps, []]);
  for (const wrong of [
    "",
    "{",
    "[]",
    '{"eip155:1":{"USDT":{"hour":5}}}',
    '{"eip155:1":{"USDT":{"month":"5"}}}',
    '{"eip155:2":{"USDT":{"hour":"5"}}}',
  ])
    expect(read(wrong)).toEqual([[], [expect.stringMatching(/^SIGNER_CAPS/)]]);
});
