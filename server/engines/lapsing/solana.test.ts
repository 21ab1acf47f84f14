import { base58 } from "@scure/base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import type { Transfer } from "#domain/transfer.ts";
import { associatedAccount } from "#server/adapters/chain/solana/instructions.ts";
import { openSolanaChain } from "#server/adapters/chain/solana/open-solana-chains.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { readLapsingEvidence } from "#server/services/settlements/read-lapsing-evidence.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { readReview } from "#server/services/treasury/read-review.ts";
import { resolveReview } from "#server/services/treasury/resolve-review.ts";
import { type ConformanceStage, openConformanceStage, type PaidFamily } from "#testing/conformance-stage.ts";
import { Died } from "#testing/death.ts";
import { addProvenPerson } from "#testing/people.ts";
import { expectConformance } from "#testing/settlement-conformance.ts";
import { newSolanaKey, newSolanaWallet } from "#testing/solana.ts";
import { AMOUNT, openSolanaBench, type SolanaBench } from "#testing/solana-bench.ts";
import type { LapsingStep } from "./engine.ts";
import { lapsingBalancesDuty } from "./observe-chain.ts";
import { runLapsingOnce } from "./run-lapsing.ts";

let bench: SolanaBench;
let cluster: SolanaBench["cluster"];
let chain: SolanaBench["chain"];
let database: SolanaBench["database"];
let treasury: string;

beforeAll(async () => {
  bench = await openSolanaBench();
  ({ cluster, chain, database, treasury } = bench);
});
beforeEach(async () => {
  await cluster.faults({}, 0);
  await cluster.faults({}, 1);
  await cluster.traffic();
});
afterAll(() => bench?.close());

const newWorker = (observe?: (step: LapsingStep) => void) => bench.newWorker(observe);
const owe: SolanaBench["owe"] = (what) => bench.owe(what);
const run: SolanaBench["run"] = (...args) => bench.run(...args);
const stateOf: SolanaBench["stateOf"] = (transfer) => bench.stateOf(transfer);
const attemptsOf: SolanaBench["attemptsOf"] = (transfer) => bench.attemptsOf(transfer);
const statesOf: SolanaBench["statesOf"] = (transfer) => bench.statesOf(transfer);
const announced: SolanaBench["announced"] = (transfer) => bench.announced(transfer);
const held: SolanaBench["held"] = (...args) => bench.held(...args);

/** What one payment moved and cost. The books say the same, to the base unit. */
async function measure(work: () => Promise<void>): Promise<{ paid: bigint; cost: bigint }> {
  const { feesBooked, ...moved } = await bench.measure(work);
  expect(feesBooked).toBe(moved.cost);
  return moved;
}

/** The chain as a partner sees it: one token is paid, and workers pay what is owed, what comes together in one transaction. */
async function asFamily(): Promise<PaidFamily> {
  const all = cluster.settings([0, 1]);
  const paid = openSolanaChain({ ...all, packing: true, tokens: all.tokens.filter(({ currency }) => currency === "USDC") });
  const signers = bench.signers({ findUnowed, on: paid });
  const place = { mint: cluster.mints.USDC as never, tokenProgram: SOLANA_PROGRAMS.token as never };
  const bytes = (count: number) => base58.encode(new Uint8Array(count).fill(7));
  return {
    ...database,
    chain: paid,
    lapsing: { list: () => [paid], find: (name) => (name === paid.chain ? paid : null) },
    currency: "USDC",
    treasury,
    newWallet: newSolanaWallet,
    refused: {
      "another mint": cluster.mints.FEE ?? "",
      "a program": SOLANA_PROGRAMS.memo,
      "a token account, which is not on the curve": await associatedAccount(treasury as never, place),
      "31 bytes": bytes(31),
      "33 bytes": bytes(33),
      "an address of EVM": "0x52908400098527886E0F7030069857D2E4169EE7",
    },
    async work() {
      await runLapsingOnce({ ...bench.newWorker(undefined, signers, paid), onFinal: completeOwner }, paid);
      await cluster.advance(2);
    },
    costTolerance: 5,
    held: (owner) => held(owner),
    async memoIn(hash) {
      const options = { encoding: "base64", maxSupportedTransactionVersion: 0 };
      const { transaction } = (await cluster.call("getTransaction", [hash, options])) as { transaction: [string] };
      return Buffer.from(transaction[0], "base64").toString("utf8");
    },
  };
}

describe("the settlement API on Solana", () => {
  let family: PaidFamily;
  let stage: ConformanceStage;
  beforeAll(async () => {
    family = await asFamily();
    stage = await openConformanceStage(family);
  });

  it("refuses, pays, holds and halts as on every family", async () => {
    await expectConformance(family, stage);
  });

  it("refuses to confirm a payment to an account that was frozen after the quote, alone and in a batch: nothing is reserved or signed, and the batch is paid together later", async () => {
    const recipient = await newSolanaWallet();
    await cluster.fund(recipient, 0n, { USDC: 0n });
    const id = await stage.quote(recipient);
    const batches = "/api/v1/settlement-batches";
    const wishes = [recipient, await newSolanaWallet()].map((wallet, place) => ({
      ...stage.wish(wallet),
      external_tx_id: `item-${place}`,
    }));
    const batch = await stage.call("POST", batches, { external_batch_id: "frozen-1", items: wishes });
    await cluster.freeze(recipient, "USDC");
    const frozen = { code: "invalid_wallet_address", detail: "The recipient's account is frozen by the token's issuer." };
    expect(await stage.create(recipient)).toMatchObject({ status: 422, body: frozen });
    for (let repeat = 0; repeat < 2; repeat += 1) expect(await stage.confirm(id)).toMatchObject({ status: 422, body: frozen });
    expect(
      await stage.call("POST", `${batches}/${batch.body.batch_id}/confirm`, { callback_url: "http://localhost:9/batch" }),
    ).toMatchObject({
      status: 422,
      body: { code: "invalid_wallet_address", errors: [{ message: `item-0: ${frozen.detail}` }] },
    });
    expect(await stage.call("POST", `${batches}/estimate`, { items: wishes })).toMatchObject({
      status: 422,
      body: { code: "invalid_wallet_address", errors: [{ pointer: "/items/0/wallet_address", message: frozen.detail }] },
    });
    const [{ count } = { count: -1 }] =
      await database.sql`select count(*)::int as count from settlements where status <> 'quoted' and batch_id is not null`;
    expect(count, "nothing of the batch is confirmed").toBe(0);
    expect(await stage.read(id)).toMatchObject({ status: "quoted", external_tx_id: null, confirmed_at: null });
    expect(await database.sql`select 1 from transfers where owner_id = ${id}`).toEqual([]);
    await cluster.faults({ isSilent: true }, 0);
    expect(await stage.confirm(id), "the other node says so, too").toMatchObject({ status: 422, body: frozen });
    await cluster.faults({}, 0);
    await cluster.freeze(recipient, "USDC", false);
    expect(await stage.confirm(id)).toMatchObject({ status: 200, body: { status: "processing" } });
    for (let pass = 0; pass < 8; pass += 1) await family.work();
    expect([(await stage.read(id)).status, await held(recipient)]).toEqual(["executed", 7_200_000n]);
    const confirmed = await stage.call("POST", `${batches}/${batch.body.batch_id}/confirm`, { callback_url: "http://localhost:9/batch" });
    expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
    for (let pass = 0; pass < 8; pass += 1) await family.work();
    const items = await database.sql`select t.state, count(*)::int as count, count(distinct t.tx_hash)::int as transactions
      from transfers t join settlements s on s.id = t.owner_id where s.batch_id is not null group by 1`;
    expect(items.slice(), "a batch is paid by one transaction").toEqual([{ state: "executed", count: 2, transactions: 1 }]);
    expect(await held(recipient)).toBe(2n * 7_200_000n);
  });
});

describe("payments on Solana through the engine", () => {
  it("pays new and old recipients of both token programs, each once, and books fee and rent to the lamport", async () => {
    const old = await newSolanaWallet();
    await cluster.fund(old, 0n, { USDC: 5n });
    const plain = { currency: "PLAIN22", tokenAddress: cluster.mints.PLAIN22 ?? "", tokenDecimals: 9 };
    const usdc = [await owe(), await owe(), await owe({ recipient: old })];
    const other = await owe({ ...plain });
    const { paid, cost } = await measure(() => run(newWorker(), [...usdc, other]));
    expect(paid).toBe(3n * AMOUNT);
    // Two accounts of SPL Token, one of Token-2022, and four fees.
    expect(cost).toBeGreaterThan(2n * 2_039_280n + 2_074_080n + 4n * 5_000n);
    for (const transfer of [...usdc, other]) {
      expect([await stateOf(transfer), await statesOf(transfer), await announced(transfer)]).toEqual(["executed", ["paid"], 1]);
    }
    expect(await held(old)).toBe(AMOUNT + 5n);
    expect(await held(other.recipient, "PLAIN22")).toBe(AMOUNT);
  });

  it("pays from the wallet that holds enough and signs, in the order of its keys", async () => {
    const [poor, rich] = [newSolanaKey(), newSolanaKey()];
    const [poorest, richest] = [await poor.address(), await rich.address()];
    await cluster.fund(poorest, 10n ** 9n, { USDC: AMOUNT });
    await cluster.fund(richest, 10n ** 9n, { USDC: 3n * AMOUNT });
    await cluster.finish();
    const signers = bench.signers({ lapsingKeys: { of: () => [poor, rich] } });
    const worker = bench.newWorker(undefined, signers);
    const large = await owe({ amountBase: 2n * AMOUNT });
    await run(worker, [large]);
    const small = await owe();
    await run(worker, [small]);
    await cluster.finish();
    expect([await stateOf(large), await stateOf(small), await held(poorest), await held(richest)]).toEqual([
      "executed",
      "executed",
      0n,
      AMOUNT,
    ]);
    await cluster.fund(poorest, 0n, { USDC: AMOUNT });
    await cluster.finish();
    await database.sql`update wallets set state = 'draining' where address = ${poorest}`;
    const last = await owe();
    await run(worker, [last]);
    await cluster.finish();
    expect([await stateOf(last), await held(poorest), await held(richest)]).toEqual(["executed", AMOUNT, 0n]);
    await database.sql`update wallets set state = 'retired' where address in (${poorest}, ${richest})`;
  });

  it("waits, and says why, where the token's mint is not accepted", async () => {
    const transfer = await owe({ currency: "FEE", tokenAddress: cluster.mints.FEE ?? "" });
    const { cost } = await measure(() => run(newWorker(), [transfer], 2));
    const waiting = await findTransfer(database.db, transfer.id);
    expect([waiting?.state, waiting?.waitingReason, await attemptsOf(transfer), cost]).toEqual([
      "queued",
      expect.stringContaining("FEE: the token takes a fee"),
      [],
      0n,
    ]);
    await database.sql`delete from transfers where id = ${transfer.id}`;
  });

  it("fails a payment to a frozen account before anything is signed", async () => {
    const recipient = await newSolanaWallet();
    await cluster.fund(recipient, 0n, { USDC: 0n });
    await cluster.freeze(recipient, "USDC");
    const transfer = await owe({ recipient });
    const { paid, cost } = await measure(() => run(newWorker(), [transfer]));
    expect([await stateOf(transfer), await attemptsOf(transfer), paid, cost, await announced(transfer)]).toEqual(["failed", [], 0n, 0n, 1]);
  });

  it("fails a payment whose recipient was frozen after it was sent: it cost the fee, and moved nothing", async () => {
    const recipient = await newSolanaWallet();
    await cluster.fund(recipient, 0n, { USDC: 0n });
    const transfer = await owe({ recipient });
    const worker = newWorker();
    const { paid, cost } = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["sent"]);
      await cluster.freeze(recipient, "USDC");
      await cluster.traffic();
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual(["failed", ["failed"], 0n, 1]);
    expect(cost).toBeGreaterThanOrEqual(5_000n);
    expect(cost).toBeLessThan(6_000n);
  });

  it("has people look at a payment that failed because of the treasury, and pays it once when they want it again", async () => {
    const own = newSolanaKey();
    const wallet = await own.address();
    await cluster.fund(wallet, 10n ** 9n, { USDC: AMOUNT + 7n });
    await cluster.finish();
    const worker = bench.newWorker(undefined, bench.signers({ lapsingKeys: { of: () => [own] } }));
    const [transfer, byHand] = [await owe(), await owe({ amountBase: 7n })];
    await cluster.traffic({ isCongested: true });
    await runLapsingOnce(worker, chain);
    const by = (await addProvenPerson(database.db, "admin")).by;
    const lapsing = { list: () => [chain], find: () => chain };
    const ctx = {
      db: database.db,
      lapsing,
      evm: { list: () => [], find: () => null },
      clock: { now: () => new Date() },
      mode: "sandbox" as const,
    };
    const decide = (outcome: "retry" | "resume") =>
      resolveReview(ctx, { by, reason: "Looked into it.", transferId: transfer.id, resolution: { outcome }, onFinal: async () => {} });
    await expect(decide("retry")).rejects.toMatchObject({ code: "invalid_state" });
    await cluster.freeze(wallet, "USDC");
    await cluster.traffic();
    await run(worker, [transfer, byHand]);
    expect([await stateOf(transfer), await statesOf(transfer)]).toEqual(["needs_review", ["failed"]]);
    const [attempt] = await attemptsOf(transfer);
    const attempts = [{ hash: attempt?.id, kind: "payment", seen: "reverted" }];
    const review = await readReview(ctx, transfer.id);
    expect(review).toMatchObject({ wallet, nonce: null, mayFail: true, nodes: [{ attempts }, { attempts }] });
    await cluster.faults({ hides: [attempt?.id] }, 1);
    expect((await readReview(ctx, transfer.id)).nodes[1]).toMatchObject({ attempts: [{ seen: "unknown" }] });
    await cluster.faults({}, 1);
    await cluster.freeze(wallet, "USDC", false);
    await cluster.finish();
    await decide("retry");
    await run(worker, [transfer]);
    await cluster.finish();
    await expectPaidByHand(byHand, transfer, (txHash) =>
      resolveReview(ctx, {
        by,
        reason: "Paid it.",
        transferId: byHand.id,
        resolution: { outcome: "executed", txHash },
        onFinal: async () => {},
      }),
    );
    expect([await stateOf(transfer), await statesOf(transfer), await held(transfer.recipient)]).toEqual([
      "executed",
      ["failed", "paid"],
      AMOUNT,
    ]);
    await database.sql`update wallets set state = 'retired' where address = ${wallet}`;
  });

  /** A person pays it with a wallet of their own, and names the transaction. */
  async function expectPaidByHand(owed: Transfer, other: Transfer, declare: (hash: string) => Promise<unknown>): Promise<void> {
    expect(await stateOf(owed)).toBe("needs_review");
    const key = newSolanaKey();
    const sender = await key.address();
    await cluster.fund(sender, 10n ** 9n, { USDC: AMOUNT });
    const [node] = chain.nodes;
    const pay = async (amountBase: bigint) => {
      const intent = { sender, recipient: owed.recipient, token: owed.tokenAddress, amountBase, reference: `by hand ${amountBase}` };
      const unsigned = (await node?.prepare(intent)) ?? expect.fail("there is no node");
      const raw = await key.sign(unsigned.bytes);
      await node?.send(raw);
      return await chain.checkSigned(raw, unsigned);
    };
    const [less, hash] = [await pay(owed.amountBase - 1n), await pay(owed.amountBase)];
    await expect(declare(hash)).rejects.toMatchObject({ code: "invalid_state" });
    await cluster.finish();
    const [attempt] = await attemptsOf(other);
    const paid = (await attemptsOf(other)).find(({ state }) => state === "paid");
    for (const wrong of [less, attempt?.id, paid?.id, `0x${"0".repeat(64)}`, hash.slice(0, -1)])
      await expect(declare(wrong), wrong).rejects.toMatchObject({ code: "invalid_state" });
    await cluster.faults({ hides: [hash] }, 1);
    await expect(declare(hash)).rejects.toMatchObject({ code: "invalid_state" });
    await cluster.faults({}, 1);
    await declare(hash);
    const proofs = await database.sql`select hash, log_index from transfer_proofs where transfer_id = ${owed.id}`;
    expect([await stateOf(owed), [...proofs]]).toEqual(["executed", [{ hash, log_index: null }]]);
    expect(await database.sql`select 1 from network_fees where transfer_id = ${owed.id} and hash = ${hash}`).toEqual([]);
  }

  it("makes a payment again whose blockhash has lapsed, and not before both nodes prove it", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await runLapsingOnce(worker, chain);
      await cluster.faults({ keepsBlocks: 20 }, 1);
      await cluster.advance(170);
      for (let pass = 0; pass < 3; pass += 1) await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["sent"]);
      await cluster.faults({}, 1);
      await cluster.traffic();
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual([
      "executed",
      ["lapsed", "paid"],
      AMOUNT,
      1,
    ]);
  });

  it("never makes a payment again that landed, although a node hides it past its expiry", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      const [attempt] = await attemptsOf(transfer);
      await cluster.faults({ hides: [attempt?.id] }, 0);
      await cluster.advance(170);
      for (let pass = 0; pass < 5; pass += 1) await runLapsingOnce(worker, chain);
      expect([await stateOf(transfer), await statesOf(transfer)]).toEqual(["broadcast", ["sent"]]);
      await cluster.faults({}, 0);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual(["executed", ["paid"], AMOUNT, 1]);
  });

  it("is proven by both nodes as it is booked, and by none of them alone; its wallet's balance is kept as the chain has it", async () => {
    const transfer = await owe();
    const worker = newWorker();
    await run(worker, [transfer]);
    await cluster.finish();
    const paid = await findTransfer(database.db, transfer.id);
    if (paid === null) throw new Error("it is gone");
    const evidence = (of: Transfer = paid) => readLapsingEvidence({ db: database.db }, chain, of);
    const { txHash, blockHash } = paid;
    const fee = { base: expect.any(BigInt), currency: "SOL", decimals: 9 };
    const receipt = { hash: txHash, blockHash, blockHeight: paid.blockNumber, logIndex: null, networkFee: fee };
    expect(await evidence()).toEqual({ outcome: "proven", receipt });
    expect(await evidence({ ...paid, amountBase: AMOUNT + 1n })).toEqual({ outcome: "contradicted" });
    expect(await evidence({ ...paid, blockHash: "another" })).toEqual({ outcome: "contradicted" });
    await cluster.faults({ hides: [txHash] }, 1);
    expect(await evidence()).toEqual({ outcome: "unproven" });
    await cluster.faults({}, 1);
    await lapsingBalancesDuty(worker, chain).run(new AbortController().signal);
    const coin = chain.nodes[1]?.balance(treasury, null);
    const rows =
      await database.sql`select currency, amount_base::text as base from wallet_balances b join wallets w on w.id = b.wallet_id where w.address = ${treasury} and currency in ('SOL', 'USDC') order by 1`;
    expect(rows.map(({ base }) => BigInt(base))).toEqual([await coin, await bench.held(treasury)]);
  });

  it("is not final by one node while the other has forgotten the block", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      await cluster.finish();
      await cluster.faults({ keepsBlocks: 1 }, 1);
      for (let pass = 0; pass < 3; pass += 1) await runLapsingOnce(worker, chain);
      expect(await stateOf(transfer)).not.toBe("executed");
      await cluster.faults({}, 1);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), paid, await announced(transfer)]).toEqual(["executed", AMOUNT, 1]);
  });

  it("sends again what a node took and lost", async () => {
    const transfer = await owe();
    const worker = newWorker();
    await cluster.faults({ swallows: true }, 0);
    await cluster.faults({ swallows: true }, 1);
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      await cluster.advance(5);
      expect(await held(transfer.recipient)).toBe(0n);
      await cluster.faults({}, 0);
      await cluster.faults({}, 1);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid]).toEqual(["executed", ["paid"], AMOUNT]);
  });

  it("sends again what a fork took out of its block", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      await cluster.advance(2);
      await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["seen"]);
      await cluster.call("sandbox_fork", [2, false]);
      await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["sent"]);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid]).toEqual(["executed", ["paid"], AMOUNT]);
  });

  it("waits while a node makes up that the treasury has too little", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const place = { mint: cluster.mints.USDC as never, tokenProgram: SOLANA_PROGRAMS.token as never };
    await cluster.faults({ balances: { [await associatedAccount(treasury as never, place)]: "7" } }, 1);
    await runLapsingOnce(worker, chain);
    const waiting = await findTransfer(database.db, transfer.id);
    expect([waiting?.state, waiting?.waitingReason, await attemptsOf(transfer)]).toEqual([
      "queued",
      expect.stringContaining("too little"),
      [],
    ]);
    await cluster.faults({}, 1);
    const { paid } = await measure(() => run(worker, [transfer]));
    expect([await stateOf(transfer), paid]).toEqual(["executed", AMOUNT]);
  });

  it.each<LapsingStep>(["signed", "stored", "asked", "admitted", "sent", "noted", "final_written"])(
    "pays once where the process dies at `%s`",
    async (fatal) => {
      const transfer = await owe();
      let deaths = 0;
      const dying = newWorker((step) => {
        if (step !== fatal) return;
        deaths += 1;
        throw new Died(step);
      });
      const { paid } = await measure(async () => {
        await run(dying, [transfer]).catch(() => {});
        expect(deaths).toBeGreaterThan(0);
        await database.sql`update transfers set lease_until = clock_timestamp() - interval '1 second', rest_until = null where lease_until is not null`;
        await run(newWorker(), [transfer]);
      });
      expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual([
        "executed",
        ["paid"],
        AMOUNT,
        1,
      ]);
    },
  );

  it("pays once where the process dies as it finds a payment lapsed", async () => {
    const transfer = await owe();
    const { paid } = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await runLapsingOnce(newWorker(), chain);
      await cluster.advance(170);
      const dying = newWorker((step) => {
        if (step === "lapsed") throw new Died(step);
      });
      await run(dying, [transfer], 2).catch(() => {});
      await cluster.traffic();
      await run(newWorker(), [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid]).toEqual(["executed", ["lapsed", "paid"], AMOUNT]);
  });
});
