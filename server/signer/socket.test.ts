import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keccak256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { intentOf } from "#domain/evm-intent.ts";
import { newId } from "#domain/ids.ts";
import type { AllSigners } from "#domain/lapsing-signer.ts";
import { SignerAway } from "#domain/signer.ts";
import { connectSigners } from "#server/adapters/signer-socket/connect.ts";
import { FrameReader, writeFrame } from "#server/adapters/signer-socket/frames.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died } from "#testing/death.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { serveSigners } from "./serve.ts";

/** The worker with a signer behind the socket: the engine is the same, and so is what is paid. */

let chain: TestChain;
let bench: TransferBench;
let folder: string;
let path: string;
let server: Server;
const opened: Socket[] = [];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "signer-"));
  path = join(folder, "signer.sock");
  bench = await openTransferBench(chain);
  server = await serve();
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await stop();
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => chain.stop());

async function serve(signers: AllSigners = bench.signersOf()): Promise<Server> {
  const one = await serveSigners(path, signers, bench.ctx.log);
  one.on("connection", (socket) => void opened.push(socket));
  return one;
}

/** As a process that is killed: the socket's file stays. */
async function stop(): Promise<void> {
  for (const socket of opened.splice(0)) socket.destroy();
  await new Promise((closed) => server.close(closed));
}

const behindSocket = () => connectSigners(path, [chain.chain], 2_000);
const worker = (signers = behindSocket()) => bench.newWorker({ ctx: { ...bench.ctx, signers } });

/** What the signer answers to these bytes, until it closes the connection. */
async function speak(bytes: Buffer): Promise<unknown[]> {
  const socket = connect(path);
  opened.push(socket);
  const reader = new FrameReader();
  const answers: unknown[] = [];
  socket.on("data", (chunk) => answers.push(...reader.add(chunk)));
  socket.on("error", () => {});
  socket.write(bytes);
  await new Promise((closed) => socket.once("close", closed));
  return answers;
}

it("pays once over the socket, and only its owner and group may open that", async () => {
  expect(statSync(path).mode & 0o777).toBe(0o660);
  const owed = await bench.enqueuePayment();
  const [done] = await bench.run(worker(), [owed.id]);
  expect(done).toMatchObject({ state: "executed" });
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
});

it.each([
  ["random bytes", Buffer.alloc(64, 0xab)],
  ["no JSON", Buffer.from([0, 0, 0, 2, 0x7b, 0x7b])],
  ["an unknown call", writeFrame({ id: 1, call: "exportKeys" })],
  [
    "a transaction of its own",
    writeFrame({ id: 1, call: "sign", chain: "eip155:1", wallet: `0x${"1".repeat(40)}`, orders: [{ to: "0x", data: "0x" }] }),
  ],
  ["a member too many", writeFrame({ id: 1, call: "readJournal", chain: "eip155:1", installation: "another" })],
])("a client that sends %s is cut off without an answer, and the others go on", async (_, bytes) => {
  const owed = await bench.enqueuePayment();
  const honest = worker();
  await runTransfersOnce(honest, chain.chain);
  expect(await speak(bytes)).toEqual([]);
  await bench.run(honest, [owed.id]);
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
});

it("a worker that asks for a payment which nobody owes gets no signature, and halts its chain", async () => {
  await stop();
  await bench.close();
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  server = await serve();
  const signers = behindSocket();
  const forged = await bench.enqueuePayment({ ownerId: newId("settlement", new Date()) });
  await runTransfersOnce(worker(signers), chain.chain);
  expect((await listOpenHalts(bench.ctx)).map(({ cause }) => cause)).toEqual(["unowed_payment"]);
  const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n };
  const order = { of: { transferId: forged.id }, kind: "payment" as const, nonce: 0, gasLimit: 100_000n, fees };
  const [answer] = await signers.sign({ chain: chain.chain, wallet: bench.addresses[0] ?? "", orders: [order] });
  expect(answer).toMatchObject({ outcome: "refused", kind: "unowed" });
  expect(await bench.sql`select 1 from transaction_attempts`).toHaveLength(0);
});

it("what it signs cannot be sent before it is admitted, nor as something else", async () => {
  const signers = behindSocket();
  await runTransfersOnce(worker(signers), chain.chain);
  const owed = await bench.enqueuePayment();
  const [wallet = ""] = bench.addresses;
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
  const order = { of: { transferId: owed.id }, kind: "payment" as const, nonce: 0, gasLimit: 100_000n, fees };
  const [signed] = await signers.sign({ chain: chain.chain, wallet, orders: [order] });
  if (signed?.outcome !== "signed") throw new Error("it was not signed");
  expect(signed.bytes).not.toContain(owed.recipient.slice(2).toLowerCase());
  await expect(chain.call("eth_sendRawTransaction", signed.bytes)).rejects.toThrow();
  const { recipient, tokenAddress: token, amountBase, ownerId } = owed;
  const content = { chain: chain.chain, wallet, nonce: 0, kind: "payment" as const, owner: `settlement:${ownerId}`, hash: signed.hash };
  const entry = { ...content, at: new Date(), recipient, token, amountBase };
  const admit = (changed: object) =>
    signers.admit(chain.chain, [{ transferId: owed.id, entry: { ...entry, ...changed }, bytes: signed.bytes, gasLimit: 100_000n, fees }]);
  const inCapitals = { owner: entry.owner.toUpperCase() };
  const hashInCapitals = { hash: `0x${entry.hash.slice(2).toUpperCase()}` };
  for (const changed of [
    { nonce: 1 },
    { owner: "settlement:st_other" },
    inCapitals,
    hashInCapitals,
    { amountBase: 1n },
    { recipient: wallet },
  ])
    expect(await admit(changed)).toMatchObject([{ fault: { code: "other_content" } }]);
  expect(await signers.readJournal(chain.chain)).toMatchObject({ marks: [] });
  expect(await admit({})).toMatchObject([{ bytes: expect.stringMatching(/^0x02/) }]);
  expect(await signers.readJournal(chain.chain)).toMatchObject({ marks: [{ mark: 0 }] });
});

it("opens what is whole next to bytes that were changed, and takes no bytes by a stranger's key", async () => {
  const signers = behindSocket();
  await runTransfersOnce(worker(signers), chain.chain);
  const owed = await Promise.all([bench.enqueuePayment(), bench.enqueuePayment()]);
  const [wallet = ""] = bench.addresses;
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
  const orders = owed.map(({ id }, nonce) => ({ of: { transferId: id }, kind: "payment" as const, nonce, gasLimit: 100_000n, fees }));
  const signed = await signers.sign({ chain: chain.chain, wallet, orders });
  const ordersOf = (nonce: number) => {
    const [one, transfer] = [signed[nonce], owed[nonce]];
    if (one?.outcome !== "signed" || transfer === undefined) throw new Error("it was not signed");
    const { id: transferId, recipient, tokenAddress: token, amountBase, ownerId } = transfer;
    const content = {
      chain: chain.chain,
      wallet,
      nonce,
      kind: "payment" as const,
      owner: `settlement:${ownerId}`,
      recipient,
      token,
      amountBase,
    };
    return { transferId, entry: { ...content, hash: one.hash, at: new Date() }, bytes: one.bytes, gasLimit: 100_000n, fees };
  };
  const changed = { ...ordersOf(0), bytes: `${ordersOf(0).bytes.slice(0, -4)}AAAA` };
  expect(await signers.admit(chain.chain, [changed, ordersOf(1)])).toMatchObject([
    { fault: { code: "other_content" } },
    { bytes: expect.stringMatching(/^0x02/) },
  ]);
  const stranger = privateKeyToAccount(generatePrivateKey());
  const [payment] = owed;
  if (payment === undefined) throw new Error("there are two");
  const { to, valueBase: value, data } = intentOf(payment);
  const bytes = await stranger.signTransaction({
    type: "eip1559",
    chainId: 31_337,
    nonce: 0,
    gas: 100_000n,
    to: to as `0x${string}`,
    value,
    data: data as `0x${string}`,
    ...fees,
  });
  const hash = keccak256(bytes);
  const entry = { ...ordersOf(0).entry, wallet: stranger.address, hash };
  expect(await signers.admit(chain.chain, [{ ...ordersOf(0), entry, bytes }])).toMatchObject([{ fault: { code: "other_content" } }]);
  expect(await signers.readJournal(chain.chain)).toMatchObject({ marks: [{ mark: 1 }] });
});

it("signs nothing empty under a nonce that is not the next one, so that nobody raises the wallet's mark", async () => {
  const signers = behindSocket();
  await runTransfersOnce(worker(signers), chain.chain);
  const owed = await bench.enqueuePayment();
  const [wallet = ""] = bench.addresses;
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
  const outcomeOf = async (of: { filler: string } | { transferId: string }, nonce: number) => {
    const kind = "filler" in of ? ("payment" as const) : ("cancellation" as const);
    const order = { of, kind, nonce, gasLimit: 21_000n, fees };
    return (await signers.sign({ chain: chain.chain, wallet, orders: [order] }))[0];
  };
  for (const of of [{ filler: "filler:x:9" }, { transferId: owed.id }])
    expect(await outcomeOf(of, 9)).toMatchObject({ outcome: "refused", kind: "unsigned", reason: "Nonce 9 is not the wallet's next one." });
  expect(await outcomeOf({ filler: "filler:x:0" }, 0)).toMatchObject({ outcome: "signed" });
  // Directly behind what was signed and is not in the journal yet.
  expect(await outcomeOf({ filler: "filler:x:1" }, 1)).toMatchObject({ outcome: "signed" });
  expect(await outcomeOf({ transferId: owed.id }, 2)).toMatchObject({ outcome: "signed" });
  expect(await outcomeOf({ filler: "filler:x:4" }, 4)).toMatchObject({ outcome: "refused" });
});

it("while it is away, payments wait and say so, what is on its way ends after 20 blocks, and all goes on once it is back", async () => {
  await stop();
  await bench.close();
  bench = await openTransferBench(chain, { confirmations: 20 });
  server = await serve();
  const paid = await bench.enqueuePayment();
  const engine = worker();
  await bench.run(engine, [paid.id], 3);
  expect(await bench.transfer(paid.id)).toMatchObject({ state: "mined" });
  await stop();
  const owed = await bench.enqueuePayment();
  await bench.run(engine, [paid.id], 30);
  expect(await bench.transfer(paid.id)).toMatchObject({ state: "executed" });
  expect(await bench.tokenBalance(paid.recipient)).toBe(paid.amountBase);
  expect(await bench.transfer(owed.id)).toMatchObject({
    state: "queued",
    waitingReason: expect.stringContaining("signer does not answer"),
  });
  expect(await listOpenHalts(bench.ctx)).toEqual([]);
  server = await serve();
  const [done] = await bench.run(engine, [owed.id], 30);
  expect(done).toMatchObject({ state: "executed", waitingReason: null });
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
});

it("cuts off who connects and asks nothing, and takes no more than so many at once; the others go on", async () => {
  await runTransfersOnce(worker(), chain.chain);
  await stop();
  server = await serveSigners(path, bench.signersOf(), bench.ctx.log, { idleMs: 100, mostConnections: 3 });
  server.on("connection", (socket) => void opened.push(socket));
  const closed = () =>
    new Promise((done) => {
      const socket = connect(path);
      opened.push(socket);
      socket.on("error", () => {});
      socket.once("close", done);
    });
  // More than there is room for: each is closed, at once or after its time.
  await Promise.all(Array.from({ length: 6 }, closed));
  const signers = behindSocket();
  for (const _ of ["asked", "and again after an idle time"]) {
    expect(await signers.readJournal(chain.chain)).toMatchObject({ marks: [] });
    await new Promise((done) => setTimeout(done, 300));
  }
});

it("one that accepts and says nothing is left, and counts as away", async () => {
  await stop();
  server = await serve({ ...bench.signersOf(), readJournal: () => new Promise(() => {}) });
  await expect(connectSigners(path, [chain.chain], 100).readJournal(chain.chain)).rejects.toThrow(SignerAway);
});

it.each(["sign", "admit"] as const)("killed in the middle of `%s`, it pays once after it is back", async (call) => {
  const owed = await bench.enqueuePayment();
  for (const when of ["before", "after"]) {
    await stop();
    const signers = bench.signersOf();
    const dies = async (...args: unknown[]) => {
      if (when === "after") await (signers[call] as (...of: unknown[]) => Promise<unknown>)(...args);
      for (const socket of opened.splice(0)) socket.destroy();
      throw new Died("killed");
    };
    server = await serve({ ...signers, [call]: dies });
    await bench.letLeasesLapse();
    await runTransfersOnce(worker(), chain.chain);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
  }
  await stop();
  server = await serve();
  await bench.letLeasesLapse();
  const [done] = await bench.run(worker(), [owed.id]);
  expect(done).toMatchObject({ state: "executed" });
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
  expect(await listOpenHalts(bench.ctx)).toEqual([]);
});

it("learns of a signer that starts after it", async () => {
  await stop();
  const signers = behindSocket();
  await expect(signers.readJournal(chain.chain)).rejects.toThrow(SignerAway);
  expect(signers.of(chain.chain)).toEqual([]);
  server = await serve();
  const owed = await bench.enqueuePayment();
  await bench.run(worker(signers), [owed.id]);
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
});
