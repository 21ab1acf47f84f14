import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { journalOwner, type SignedEntry } from "#domain/journal.ts";
import type { AdmitAnswer, AdmitOrder, SignAnswer, Signers } from "#domain/signer.ts";
import type { Transfer } from "#domain/transfer.ts";
import { deploy } from "#sandbox/chain/tokens.ts";
import { PACKING_CONTRACT } from "#server/adapters/chain/evm/packing/packing-contract.ts";
import { connectSigners } from "#server/adapters/signer-socket/connect.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { serveSigners } from "./serve.ts";

/** Packed transactions: the signer derives each member by itself, and its journal holds every one of them as paid. */

const PACK = "pack:pk_1";
const AMOUNT = 10_000_000n;
const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
const GAS = 2_000_000n;

let chain: TestChain;
let bench: TransferBench;
let wallet: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  await deploy(chain.rpcUrl, PACKING_CONTRACT.creationCode as Hex);
});
afterAll(() => chain.stop());
beforeEach(async () => {
  bench = await openTransferBench(chain, { packing: true });
  wallet = bench.addresses[0] ?? "";
  await chain.callToken("approve(address,uint256)", [PACKING_CONTRACT.address, 2n ** 256n - 1n], await impersonated(wallet));
  await chain.mine();
  // The first pass begins the journal.
  await runTransfersOnce(bench.newWorker(), chain.chain);
});
afterEach(() => bench.close());

it("pays each member once, over the socket too, and no journal lets one be paid again, alone or with others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packed-"));
  const path = join(folder, "signer.sock");
  const server = await serveSigners(path, bench.signersOf(), bench.ctx.log);
  const signers = connectSigners(path, [chain.chain], 5_000);
  const [anna, bert, carl, dora] = await payments(4);
  const before = await bench.tokenBalance(wallet);
  await send(await signed(signers, [anna, bert, carl]));
  expect(await Promise.all([anna, bert, carl].map(({ recipient }) => bench.tokenBalance(recipient)))).toEqual([AMOUNT, AMOUNT, AMOUNT]);
  expect(await bench.tokenBalance(wallet)).toBe(before - 3n * AMOUNT);

  const restarted = bench.signersOf();
  expect(await alone(restarted, bert, 2)).toMatchObject({ fault: { code: "owner_paid", place: { nonce: 1 } } });
  const others = await signed(restarted, [carl, dora], { pack: "pack:pk_2", nonce: 2 });
  expect(await admit(restarted, others)).toMatchObject({ fault: { code: "owner_paid" } });
  expect(await alone(restarted, dora, 2)).toMatchObject({ bytes: expect.stringMatching(/^0x02/) });
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

it("signs nothing where nobody owes one of them, where one is no plain payment of the token, or where packing is off", async () => {
  const [anna, bert] = await payments(2);
  const unowed = bench.signersOf({
    findUnowed: async (_, asked) => new Map(asked.some(({ id }) => id === bert.id) ? [[bert.id, "Nobody."]] : []),
  });
  expect(await sign(unowed, [anna, bert])).toEqual({ outcome: "refused", kind: "unowed", reason: `${bert.id}: Nobody.` });
  const signers = bench.signersOf();
  const usdc = await bench.enqueuePayment({ currency: "USDC", tokenAddress: chain.tokens.USDC });
  const coin = await bench.enqueuePayment({ currency: "ETH", tokenAddress: null, tokenDecimals: 18 });
  const same = await bench.enqueuePayment({ recipient: anna.recipient });
  const call = { ...anna, id: "tr_none" };
  for (const other of [usdc, coin, same, anna])
    expect(await sign(signers, [anna, other])).toMatchObject({ outcome: "refused", kind: "unsigned" });
  expect(await sign(signers, [anna])).toMatchObject({ outcome: "refused", kind: "unsigned" });
  expect(await sign(signers, [anna, call])).toMatchObject({ outcome: "refused", kind: "unowed" });
  expect(await sign(signers, [anna, bert], { pack: "settlement:st_1" })).toMatchObject({ outcome: "refused", kind: "unowed" });
  const off = await openTransferBench(chain);
  const theirs = [await off.enqueuePayment(), await off.enqueuePayment()];
  const refused = await sign(off.signersOf(), theirs, { from: off.addresses[0] ?? "" });
  expect(refused).toMatchObject({ outcome: "refused", kind: "unsigned", reason: expect.stringContaining("not packed") });
  await off.close();
});

it("keeps nonce and members under a higher fee, and lets nothing else follow", async () => {
  const signers = bench.signersOf();
  const [anna, bert, carl] = await payments(3);
  const first = await signed(signers, [anna, bert]);
  expect(await admit(signers, first)).toHaveProperty("bytes");
  const changed = await signed(signers, [anna, bert, carl], { factor: 2n });
  expect(await admit(signers, changed)).toMatchObject({ fault: { code: "other_content" } });
  const renamed = await signed(signers, [anna, bert], { pack: "pack:pk_2", factor: 2n });
  expect(await admit(signers, renamed)).toMatchObject({ fault: { code: "nonce_taken" } });
  await send(await signed(signers, [anna, bert], { factor: 2n }));
  expect(await bench.tokenBalance(anna.recipient)).toBe(AMOUNT);
  expect(await bench.tokenBalance(carl.recipient)).toBe(0n);
});

it("opens its bytes for exactly these members, and derives them again once they are old", async () => {
  const [anna, bert, carl] = await payments(3);
  const order = await signed(bench.signersOf(), [anna, bert]);
  const members = order.entry.members ?? [];
  const [one, two] = members;
  if (one === undefined || two === undefined) throw new Error("there are two");
  const changed = [[two, one], [one], [one, { ...two, amountBase: 1n }], [one, { ...two, owner: "settlement:st_other" }], undefined];
  for (const each of changed)
    expect(await admit(bench.signersOf(), { ...order, entry: { ...order.entry, members: each } })).toMatchObject({
      fault: { code: "other_content" },
    });
  // Another process has signed them, so that they are derived again.
  for (const ids of [[anna.id, carl.id], [bert.id, anna.id], [anna.id], undefined])
    expect(await admit(bench.signersOf(), { ...order, members: ids })).toMatchObject({ fault: { code: "unowed" } });
  const unowed = bench.signersOf({ findUnowed: async () => new Map([[bert.id, "It has ended."]]) });
  expect(await admit(unowed, order)).toMatchObject({ fault: { code: "unowed", detail: `${bert.id}: It has ended.` } });
  expect(await admit(bench.signersOf(), order)).toHaveProperty("bytes");
});

it("counts for the caps as the sum of its members", async () => {
  const caps = [{ chain: chain.chain, token: chain.tokens.USDT, currency: "USDT", hourBase: 25n * 1_000_000n, dayBase: null }];
  const signers = bench.signersOf({ caps });
  const [anna, bert, carl] = await payments(3);
  expect(await sign(signers, [anna, bert, carl])).toMatchObject({ outcome: "refused", kind: "capped" });
  const two = await signed(signers, [anna, bert]);
  expect(await sign(signers, [carl], { pack: null, nonce: 2 })).toMatchObject({ outcome: "refused", kind: "capped" });
  expect(await admit(signers, two)).toHaveProperty("bytes");
  const restarted = bench.signersOf({ caps });
  expect(await sign(restarted, [carl], { pack: null, nonce: 2 })).toMatchObject({ outcome: "refused", kind: "capped" });
  expect(await sign(restarted, [anna, bert], { factor: 2n })).toMatchObject({ outcome: "signed" });
});

type How = { pack?: string | null; nonce?: number; factor?: bigint; from?: string };

/** `pack` null: the first payment on its own. */
async function sign(
  signers: Signers,
  owed: readonly Transfer[],
  { pack = PACK, nonce = 1, factor = 1n, from = wallet }: How = {},
): Promise<SignAnswer> {
  const of = pack === null ? { transferId: owed[0]?.id ?? "" } : { pack, transferIds: owed.map(({ id }) => id) };
  const order = { of, kind: "payment" as const, nonce, gasLimit: GAS, fees: feesOf(factor) };
  const [answer] = await signers.sign({ chain: chain.chain, wallet: from, orders: [order] });
  if (answer === undefined) throw new Error("the signer has not answered");
  return answer;
}

/** What is to be admitted then. */
async function signed(signers: Signers, owed: readonly Transfer[], how: How = {}): Promise<AdmitOrder> {
  const answer = await sign(signers, owed, how);
  if (answer.outcome !== "signed") throw new Error(answer.reason);
  const { pack = PACK, nonce = 1, factor = 1n } = how;
  const ids = owed.map(({ id }) => id);
  const [first] = owed;
  const token = first?.tokenAddress?.toLowerCase() ?? null;
  const place = { chain: chain.chain, wallet, nonce, hash: answer.hash, at: new Date(), token };
  const members = owed.map((one) => ({ owner: journalOwner(one), recipient: one.recipient, amountBase: one.amountBase }));
  const sum = members.reduce((total, { amountBase }) => total + amountBase, 0n);
  const packed: SignedEntry = {
    ...place,
    kind: "packed",
    owner: pack ?? "",
    recipient: PACKING_CONTRACT.address,
    amountBase: sum,
    members,
  };
  const single: SignedEntry = {
    ...place,
    kind: "payment",
    owner: members[0]?.owner ?? "",
    recipient: first?.recipient ?? "",
    amountBase: AMOUNT,
  };
  const bytes = { bytes: answer.bytes, gasLimit: GAS, fees: feesOf(factor) };
  return pack === null
    ? { transferId: ids[0] ?? "", entry: single, ...bytes }
    : { transferId: pack, members: ids, entry: packed, ...bytes };
}

async function admit(signers: Signers, order: AdmitOrder): Promise<AdmitAnswer | undefined> {
  return (await signers.admit(chain.chain, [order]))[0];
}

async function alone(signers: Signers, payment: Transfer, nonce: number): Promise<AdmitAnswer | undefined> {
  return await admit(signers, await signed(signers, [payment], { pack: null, nonce }));
}

async function send(order: AdmitOrder): Promise<void> {
  const answer = await admit(bench.signersOf(), order);
  if (answer === undefined || !("bytes" in answer)) throw new Error(JSON.stringify(answer));
  await chain.call("eth_sendRawTransaction", answer.bytes);
  await chain.mine();
}

const feesOf = (factor: bigint) => ({ maxFeePerGas: FEES.maxFeePerGas * factor, maxPriorityFeePerGas: FEES.maxPriorityFeePerGas * factor });

async function payments(count: 2): Promise<[Transfer, Transfer]>;
async function payments(count: 3): Promise<[Transfer, Transfer, Transfer]>;
async function payments(count: 4): Promise<[Transfer, Transfer, Transfer, Transfer]>;
async function payments(count: number): Promise<Transfer[]> {
  return await Promise.all(Array.from({ length: count }, () => bench.enqueuePayment({ amountBase: AMOUNT })));
}

async function impersonated(address: string): Promise<string> {
  await chain.call("anvil_impersonateAccount", address);
  return address;
}
