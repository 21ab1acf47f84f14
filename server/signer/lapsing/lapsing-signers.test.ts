import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UnsignedPayment } from "#domain/lapsing-chain.ts";
import { type LapsingSigners, NO_LAPSING_SIGNERS } from "#domain/lapsing-signer.ts";
import { NO_SIGNERS } from "#domain/signer.ts";
import type { Transfer } from "#domain/transfer.ts";
import { openSolanaChain } from "#server/adapters/chain/solana/open-solana-chains.ts";
import { connectSigners } from "#server/adapters/signer-socket/connect.ts";
import { runLapsingOnce } from "#server/engines/lapsing/run-lapsing.ts";
import { openSeal } from "#server/signer/seal.ts";
import { serveSigners } from "#server/signer/serve.ts";
import { expectNothingOvertaken, expectPaidOnce } from "#testing/both-put-back.ts";
import { silentLog } from "#testing/callbacks.ts";
import { liftHalts } from "#testing/halts.ts";
import { newSolanaKey, newSolanaWallet } from "#testing/solana.ts";
import { AMOUNT, openSolanaBench, type SolanaBench } from "#testing/solana-bench.ts";

let bench: SolanaBench;
let signers: LapsingSigners;

beforeAll(async () => {
  bench = await openSolanaBench();
  signers = bench.signers();
  // The first pass begins the journal.
  await runLapsingOnce(bench.newWorker(), bench.chain);
});
beforeEach(async () => {
  await bench.cluster.faults({}, 0);
  await bench.cluster.faults({}, 1);
  await bench.cluster.traffic();
  await liftHalts(bench.sql);
});
afterAll(() => bench?.close());

async function prepared({ recipient, tokenAddress: token, amountBase, ownerId: reference }: Transfer, change: object = {}) {
  const [node] = bench.chain.nodes;
  const intent = { sender: bench.treasury, recipient, token, amountBase, reference, ...change };
  return (await node?.prepare(intent)) ?? expect.fail("there is no node");
}
const order = ({ id: transferId }: Transfer, unsigned: UnsignedPayment) => ({ chain: bench.chain.chain, transferId, unsigned });

async function sign(transfer: Transfer, by = signers): Promise<{ id: string; bytes: string }> {
  // Another block, so that the bytes are others than those before.
  await bench.cluster.advance();
  const signed = await by.sign(order(transfer, await prepared(transfer)));
  return signed.outcome === "signed" ? signed : expect.fail(JSON.stringify(signed, (_, value) => String(value)));
}
const admit = async (transfer: Transfer, { id, bytes }: { id: string; bytes: string }, by = signers) =>
  await by.admit({ chain: bench.chain.chain, transferId: transfer.id, id, bytes });
const packingChain = () => openSolanaChain({ ...bench.cluster.settings([0, 1]), packing: true });
/** Bytes that make several payments. */
async function packed(of: readonly Transfer[]): Promise<UnsignedPayment> {
  await bench.cluster.advance();
  const members = of.map(({ recipient, amountBase, ownerId: reference }) => ({ recipient, amountBase, reference }));
  const amountBase = of.reduce((sum, each) => sum + each.amountBase, 0n);
  return await prepared(of[0] as Transfer, { recipient: bench.treasury, amountBase, reference: "", members });
}
const signPacked = async (of: readonly Transfer[], by: LapsingSigners, unsigned?: UnsignedPayment) =>
  await by.sign({
    chain: bench.chain.chain,
    transferId: "tr_pack",
    members: of.map(({ id }) => id),
    unsigned: unsigned ?? (await packed(of)),
  });
const send = async (raw: string) => void (await Promise.all(bench.chain.nodes.map((node) => node.send(raw))));
const lapse = () => bench.cluster.advance(170);

describe("what a signer signs where payments lapse", () => {
  it.each<[string, (unsigned: UnsignedPayment, transfer: Transfer) => UnsignedPayment | Promise<UnsignedPayment>, string]>([
    [
      "bytes that pay somebody else",
      async (_, transfer) => await prepared(transfer, { recipient: await newSolanaWallet() }),
      "something else",
    ],
    ["bytes that pay more", async (_, transfer) => await prepared(transfer, { amountBase: AMOUNT + 1n }), "something else"],
    ["bytes that name another settlement", async (_, transfer) => await prepared(transfer, { reference: "st_other" }), "something else"],
    [
      "a fee above its own bound",
      (unsigned) => ({ ...unsigned, feeAtMost: { token: null, amountBase: 10_000_001n } }),
      "settings allow 10000000",
    ],
    ["a higher fee than is said", (unsigned) => ({ ...unsigned, feeAtMost: { token: null, amountBase: 1n } }), "higher fee than they say"],
    ["a final block that no node has", (unsigned) => ({ ...unsigned, after: unsigned.after + 50 }), "no node of the signer has"],
    [
      "a wallet whose key is elsewhere",
      async (_, transfer) => await prepared(transfer, { sender: await newSolanaKey().address() }),
      "No key of",
    ],
  ])("refuses %s", async (_, change, reason) => {
    const transfer = await bench.owe();
    const changed = await change(await prepared(transfer), transfer);
    expect(await signers.sign(order(transfer, changed))).toEqual({
      outcome: "refused",
      kind: "unsigned",
      reason: expect.stringContaining(reason),
    });
    await bench.sql`delete from transfers where id = ${transfer.id}`;
  });

  it("signs nothing that is not owed, by the signer's own derivation", async () => {
    const transfer = await bench.owe();
    const faults = new Map([[transfer.id, "The settlement is cancelled."]]);
    const strict = bench.signers({ findUnowed: async () => faults });
    const unsigned = await prepared(transfer);
    expect(await strict.sign(order(transfer, unsigned))).toMatchObject({ outcome: "refused", kind: "unowed" });
    expect(await strict.sign(order({ ...transfer, id: "tr_none" }, unsigned))).toMatchObject({ outcome: "refused", kind: "unowed" });
    // Signed by another process: it is derived again before it goes out.
    const signed = await sign(transfer);
    expect(await admit(transfer, signed, strict)).toEqual({ fault: "The settlement is cancelled." });
    await bench.sql`delete from transfers where id = ${transfer.id}`;
  });

  it("keeps its caps, over a restart, and counts an attempt that came to nothing no more", async () => {
    const token = bench.cluster.mints.USDC ?? "";
    const spent = 3n * AMOUNT;
    const caps = [{ chain: bench.chain.chain, token, currency: "USDC", hourBase: spent, dayBase: null }];
    const own = bench.signers({ caps });
    const [one, two, three, four] = [await bench.owe(), await bench.owe(), await bench.owe(), await bench.owe()];
    const packer = bench.signers({ caps, on: packingChain() });
    expect(await signPacked([one, two, three, four], packer), "their sum counts").toMatchObject({ outcome: "refused", kind: "capped" });
    expect(await signPacked([one, two, three], packer)).toMatchObject({ outcome: "signed" });
    for (const transfer of [one, two, three]) expect(await admit(transfer, await sign(transfer, own), own)).toHaveProperty("raw");
    const restarted = bench.signers({ caps });
    const unsigned = await prepared(four);
    expect(await restarted.sign(order(four, unsigned))).toMatchObject({ outcome: "refused", kind: "capped" });
    // None of the three was sent. The first is made again once it has lapsed, and there is no room for a fourth.
    await lapse();
    expect(await admit(one, await sign(one, restarted), restarted)).toHaveProperty("raw");
    expect(await restarted.sign(order(four, await prepared(four)))).toMatchObject({ outcome: "refused", kind: "capped" });
    await bench.sql`delete from transfers where id in ${bench.sql([one.id, two.id, three.id, four.id])}`;
  });
});

describe("several payments in one transaction", () => {
  it("are signed only where each is owed, once, to another recipient, by exactly those bytes, below the caps, and where packing is on", async () => {
    const on = packingChain();
    const owed = [await bench.owe(), await bench.owe(), await bench.owe()];
    const [one, two, three] = owed as [Transfer, Transfer, Transfer];
    const twin = await bench.owe({ recipient: one.recipient });
    const ask = signPacked;
    const packer = bench.signers({ on });
    const refused = (kind: string, reason: string) => ({ outcome: "refused", kind, reason: expect.stringContaining(reason) });
    const faults = new Map([[two.id, "The settlement is cancelled."]]);
    expect(await ask(owed, bench.signers({ on, findUnowed: async () => faults }))).toEqual(refused("unowed", "is cancelled"));
    expect(await ask([one, { ...two, id: "tr_none" }], packer, await packed([one, two]))).toEqual(refused("unowed", "no such payment"));
    expect(await ask([one, two, one], packer, await packed([one, two]))).toEqual(refused("unsigned", "appears twice"));
    expect(await ask([one, twin], packer, await packed([one, two]))).toEqual(refused("unsigned", "same recipient"));
    expect(await ask([one], packer, await packed([one, two]))).toEqual(refused("unsigned", "two members at least"));
    expect(await ask([one, two], packer, await packed([one, three]))).toEqual(refused("unsigned", "something else"));
    expect(await ask([one, two], packer, await packed([two, one]))).toEqual(refused("unsigned", "something else"));
    expect(await ask([one, two], packer, await prepared(one))).toEqual(refused("unsigned", "something else"));
    expect(await ask([one, two], signers)).toEqual(refused("unsigned", "not packed on this chain"));
    await bench.sql`delete from transfers where id in ${bench.sql([...owed, twin].map(({ id }) => id))}`;
  });

  it("count as paid each, over a restart, until the transaction has lapsed; then each is signed alone, once, and never together again", async () => {
    const on = packingChain();
    const [one, two] = [await bench.owe(), await bench.owe()];
    // Before, attempts were admitted that no row has.
    await runLapsingOnce(bench.newWorker(), bench.chain);
    await liftHalts(bench.sql);
    await bench.sql`update transfers set rest_until = null`;
    await bench.cluster.traffic({ isCongested: true });
    await runLapsingOnce(bench.newWorker(undefined, bench.signers({ on }), on), on);
    expect([await bench.stateOf(one), await bench.stateOf(two)]).toEqual(["packed", "packed"]);
    const again = bench.signers({ on });
    const unsigned = await prepared(one);
    expect(await again.sign(order(one, unsigned)), "it may be paid").toMatchObject({
      outcome: "signed_before",
      attempt: { kind: "lapsing_pack" },
    });
    await lapse();
    await sign(one, again);
    const [{ pack, id, bytes } = { pack: "", id: "", bytes: "" }] =
      await bench.sql`select a.transfer_id as pack, id, signed_bytes as bytes from lapsing_attempts a join pack_members m on m.pack_id = a.transfer_id where m.transfer_id = ${one.id}`;
    const stored = { chain: on.chain, transferId: pack, members: [one.id, two.id], id, bytes };
    expect(await again.admit(stored), "what has ended is never sent again").toHaveProperty("fault");
    expect(await signPacked([one, two], again)).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("it is paid alone"),
    });
    await bench.cluster.traffic();
    await bench.run(bench.newWorker(undefined, again, on), [one, two]);
    await bench.cluster.finish();
    expect([await bench.held(one.recipient), await bench.held(two.recipient)]).toEqual([AMOUNT, AMOUNT]);
  });
});

describe("the journal of payments that lapse", () => {
  it("admits one attempt of an owner, over restarts, and another one only once the first has lapsed at both nodes", async () => {
    const transfer = await bench.owe();
    const [first, second] = [await sign(transfer), await sign(transfer)];
    const opened = await admit(transfer, first);
    expect(opened).toHaveProperty("raw");
    expect(await admit(transfer, first, bench.signers())).toEqual(opened);
    const restarted = bench.signers();
    const refusal = { fault: expect.stringContaining(`was paid by ${first.id}`), isDoubt: true };
    expect(await admit(transfer, second, restarted)).toEqual(refusal);
    expect(await restarted.sign(order(transfer, await prepared(transfer)))).toMatchObject({
      outcome: "signed_before",
      attempt: { id: first.id, amountBase: AMOUNT, recipient: transfer.recipient },
    });
    await lapse();
    await bench.cluster.faults({ keepsBlocks: 20 }, 1);
    expect(await admit(transfer, second, restarted)).toEqual(refusal);
    await bench.cluster.faults({}, 1);
    const third = await sign(transfer, restarted);
    expect(await admit(transfer, third, restarted)).toHaveProperty("raw");
    // What has lapsed is not opened again, by no process.
    const last = bench.signers();
    expect(await admit(transfer, first, last)).toEqual({ fault: expect.stringContaining("has ended") });
    expect(await admit(transfer, second, last)).toEqual({ fault: expect.stringContaining(`was paid by ${third.id}`), isDoubt: true });
    await bench.sql`delete from transfers where id = ${transfer.id}`;
  });

  it("never pays an owner again whose first attempt has landed, whatever a hidden block, an expiry or the database says", async () => {
    const transfer = await bench.owe();
    const [first, second] = [await sign(transfer), await sign(transfer)];
    const opened = await admit(transfer, first);
    await send("raw" in opened ? opened.raw : "");
    await bench.cluster.finish();
    await lapse();
    await bench.cluster.faults({ hides: [first.id] }, 0);
    const refusal = { fault: expect.stringContaining(`was paid by ${first.id}`), isDoubt: true };
    expect(await admit(transfer, second)).toEqual(refusal);
    expect(await signers.sign(order(transfer, await prepared(transfer)))).toMatchObject({ outcome: "signed_before" });
    await bench.cluster.faults({}, 0);
    expect(await admit(transfer, second, bench.signers())).toEqual(refusal);
    expect(await bench.held(transfer.recipient)).toBe(AMOUNT);
    await bench.sql`delete from transfers where id = ${transfer.id}`;
  });

  it("says the same over the signer's socket", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lapsing-signer-"));
    const path = join(folder, "signer.sock");
    const server = await serveSigners(path, { ...NO_SIGNERS, lapsing: bench.signers() }, silentLog);
    const { lapsing } = connectSigners(path, [bench.chain.chain], 5_000);
    const transfer = await bench.owe();
    const signed = await sign(transfer, lapsing);
    const { records, newest } = await signers.readJournal(bench.chain.chain);
    expect(await lapsing.readJournal(bench.chain.chain)).toMatchObject({ records, newest });
    expect(await admit(transfer, signed, lapsing)).toEqual(await admit(transfer, signed));
    expect((await lapsing.readJournal(bench.chain.chain)).newest).toBe(signed.id);
    const asked = order(transfer, await prepared(transfer));
    expect(await lapsing.sign(asked)).toEqual(await signers.sign(asked));
    expect(await Promise.all(lapsing.of(bench.chain.chain).map((wallet) => wallet.address()))).toEqual([bench.treasury]);
    server.close();
    rmSync(folder, { recursive: true, force: true });
    await bench.sql`delete from transfers where id = ${transfer.id}`;
  });

  it("opens no bytes that were changed, are another attempt's, or were sealed with another key", async () => {
    const [transfer, other] = [await bench.owe(), await bench.owe()];
    const [signed, others] = [await sign(transfer), await sign(other)];
    const closed = { fault: expect.stringContaining("seal does not open") };
    for (const bytes of ["", "raw", others.bytes, `${signed.bytes.slice(0, -8)}AAAAAAAA`])
      expect(await admit(transfer, { id: signed.id, bytes })).toEqual(closed);
    expect(await admit(transfer, { ...signed, id: others.id })).toEqual(closed);
    const stranger = bench.signers({ seal: openSeal(() => Buffer.alloc(32, 9)) });
    expect(await admit(transfer, signed, stranger)).toEqual(closed);
    // Under another payment's id it is refused: what was signed is derived again.
    expect(await admit(other, signed, bench.signers())).toEqual({ fault: "It was signed for something else." });
    await bench.sql`delete from transfers where id in ${bench.sql([transfer.id, other.id])}`;
  });
});

describe("a database that was put back", () => {
  /** As a backup of before the payment was signed. */
  async function putBack({ id }: Transfer): Promise<void> {
    await bench.sql`delete from lapsing_attempts where transfer_id = ${id}`;
    await bench.sql`update transfers set state = 'queued', lease_until = null, rest_until = null, waiting_reason = null where id = ${id}`;
  }

  it("halts the chain, and takes over from the journal what the chain has: it is paid once", async () => {
    const transfer = await bench.owe();
    const { paid } = await bench.measure(async () => {
      await runLapsingOnce(bench.newWorker(), bench.chain);
      await putBack(transfer);
      for (let pass = 0; pass < 3; pass += 1) {
        await runLapsingOnce(bench.newWorker(), bench.chain);
        await bench.cluster.advance(2);
      }
      expect(await bench.attemptsOf(transfer)).toEqual([]);
      const halts = await bench.sql`select cause, lane_key as chain from lane_halts where lifted_at is null`;
      expect(halts).toEqual([{ cause: "database_behind", chain: bench.chain.chain }]);
      await liftHalts(bench.sql);
      await bench.run(bench.newWorker(), [transfer]);
    });
    expect([await bench.stateOf(transfer), await bench.statesOf(transfer), paid]).toEqual(["executed", ["paid"], AMOUNT]);
    expect(await bench.announced(transfer)).toBe(1);
    expect(await bench.sql`select 1 from lane_halts where lifted_at is null`).toEqual([]);
  });

  it("makes a payment again that the journal has and the chain never got, once that has lapsed", async () => {
    const transfer = await bench.owe();
    const { paid } = await bench.measure(async () => {
      await bench.cluster.traffic({ isCongested: true });
      await runLapsingOnce(bench.newWorker(), bench.chain);
      await putBack(transfer);
      await runLapsingOnce(bench.newWorker(), bench.chain);
      await liftHalts(bench.sql);
      await runLapsingOnce(bench.newWorker(), bench.chain);
      expect(await bench.statesOf(transfer)).toEqual(["stored"]);
      await lapse();
      await bench.cluster.traffic();
      await bench.run(bench.newWorker(), [transfer]);
    });
    expect([await bench.stateOf(transfer), await bench.statesOf(transfer), paid]).toEqual(["executed", ["lapsed", "paid"], AMOUNT]);
  });
});

it("pays once, whatever database and journal know, when both were put back", async () => {
  const { cluster } = bench;
  const own = {
    ...bench,
    newWorker: (by: LapsingSigners) => bench.newWorker(undefined, by),
    advance: () => cluster.advance(2),
    finish: () => cluster.finish(),
    congest: (isCongested: boolean) => cluster.traffic({ isCongested }),
    lapse: () => cluster.advance(250),
    announced: (id: string) => bench.announced({ id }),
  };
  await expectPaidOnce(own);
  await expectNothingOvertaken(own);
});

it("ends what is on the chain, and signs nothing, while the signer is away", async () => {
  const [sent, queued] = [await bench.owe(), await bench.owe()];
  await bench.sql`update transfers set rest_until = clock_timestamp() + interval '1 hour' where id = ${queued.id}`;
  await runLapsingOnce(bench.newWorker(), bench.chain);
  await bench.sql`update transfers set rest_until = null where id = ${queued.id}`;
  const away = { ...NO_LAPSING_SIGNERS, of: signers.of };
  await bench.cluster.finish();
  await bench.run(bench.newWorker(undefined, away), [sent]);
  expect([await bench.stateOf(sent), await bench.statesOf(sent)]).toEqual(["executed", ["paid"]]);
  expect([await bench.stateOf(queued), await bench.statesOf(queued)]).toEqual(["queued", []]);
  await bench.sql`delete from transfers where id = ${queued.id}`;
});

it("asks the signer for nothing, and takes nothing over from its journal, while the chain is halted", async () => {
  const transfer = await bench.owe();
  await runLapsingOnce(bench.newWorker(), bench.chain);
  const { id } = transfer;
  await bench.sql`delete from lapsing_attempts where transfer_id = ${id}`;
  await bench.sql`update transfers set state = 'queued', lease_until = null, rest_until = null where id = ${id}`;
  const asked: string[] = [];
  const sign = (of: Parameters<typeof signers.sign>[0]) => {
    asked.push(of.transferId);
    return signers.sign(of);
  };
  const own = { ...signers, sign };
  const worker = bench.newWorker(undefined, own);
  for (let pass = 0; pass < 3; pass += 1) await runLapsingOnce(worker, bench.chain);
  expect([asked, await bench.statesOf(transfer)]).toEqual([[], []]);
  await liftHalts(bench.sql);
  await bench.run(worker, [transfer]);
  expect([asked, await bench.statesOf(transfer)]).toEqual([[id], ["paid"]]);
});
