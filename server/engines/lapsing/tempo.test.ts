import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import type { LapsingChain, LapsingNode } from "#domain/lapsing-chain.ts";
import type { Transfer } from "#domain/transfer.ts";
import { openTempoChain } from "#server/adapters/chain/tempo/open-tempo-chain.ts";
import { decodePayment } from "#server/adapters/chain/tempo/payment-bytes.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { assertFitNodes } from "#server/worker/assert-fit-nodes.ts";
import { expectPaidOnce as expectOnceAfterBoth, type PutBackBench } from "#testing/both-put-back.ts";
import { Died } from "#testing/death.ts";
import { makeTestJournal } from "#testing/journal.ts";
import { expectConformance } from "#testing/settlement-conformance.ts";
import { NO_CHAINS } from "#testing/surface.ts";
import { openTempoBench, startTempo, type Tempo, type TempoBench } from "#testing/tempo.ts";
import { newAddress } from "#testing/transfers.ts";
import { LAPSING_STEPS, type LapsingStep } from "./engine.ts";

let tempo: Tempo;
let bench: TempoBench;
beforeAll(async () => {
  tempo = await startTempo();
});
afterEach(() => bench.close());
afterAll(() => tempo.stop());

/** Nothing is held or lapses while everything goes well. */
const PAYING = LAPSING_STEPS.filter((step) => step !== "held" && step !== "lapsed");

/** Rows, balances on the chain and the ledger say the same: each was paid once, and its fee is booked once. */
async function expectPaidOnce(owed: readonly Transfer[], before: { fees: bigint; paid: bigint }): Promise<void> {
  for (const { id, ownerId, recipient, amountBase } of owed) {
    const transfer = await bench.transfer(id);
    expect(transfer.state, transfer.waitingReason ?? "").toBe("executed");
    expect(await tempo.balanceOf(bench.paidToken, recipient)).toBe(amountBase);
    expect(await tempo.memosTo(bench.paidToken, recipient)).toEqual([ownerId]);
    const carrier = await bench.carrierOf(id);
    expect((await bench.attempts(carrier)).filter(({ state }) => state === "paid").map((row) => row.id)).toEqual([transfer.txHash]);
    expect(await bench.finals(id)).toBe(1);
  }
  const sum = owed.reduce((all, { amountBase }) => all + amountBase, 0n);
  expect(before.paid - (await tempo.balanceOf(bench.paidToken, bench.wallet))).toBe(sum);
  const taken = before.fees - (await tempo.balanceOf(bench.feeToken, bench.wallet));
  expect(await bench.feesBooked()).toEqual([{ currency: "PATHUSD", base: taken }]);
}

/** What the audit of transfers finds in the whole database. */
async function violations(): Promise<string[]> {
  const found = await Promise.all(transferRules(null).map(async (rule) => ({ rule, rows: await bench.db.execute(rule.violations) })));
  return found.flatMap(({ rule, rows }) => rows.map((row) => `${rule.name}: ${Object.values(row).join(" ")}`));
}

async function held() {
  return {
    fees: await tempo.balanceOf(bench.feeToken, bench.wallet),
    paid: await tempo.balanceOf(bench.paidToken, bench.wallet),
  };
}

/** A worker that dies the `nth` time it reaches a step. Its memory is lost. */
function doomed(step: LapsingStep, nth: number) {
  let seen = 0;
  return bench.newWorker({
    observe: (reached) => {
      if (reached === step && ++seen === nth) throw new Died(`died at ${step}`);
    },
  });
}

/** Passes until it dies, with a block after each. */
async function runToDeath(worker: ReturnType<typeof doomed>): Promise<boolean> {
  for (let pass = 0; pass < 8; pass += 1) {
    try {
      await bench.pass(worker);
    } catch (error) {
      if (error instanceof Died) return true;
      throw error;
    }
    await tempo.mine();
  }
  return false;
}

describe("the settlement API on Tempo", () => {
  it("refuses, pays, holds and halts as on every family", async () => {
    bench = await openTempoBench(tempo);
    const { chain, paidToken } = bench;
    const paid = { ...chain, tokens: chain.tokens.map((token) => (token.address === paidToken ? { ...token, currency: "USDC" } : token)) };
    await expectConformance({
      db: bench.db,
      sql: bench.sql,
      chain: paid,
      lapsing: { list: () => [paid], find: (name) => (name === paid.chain ? paid : null) },
      currency: "USDC",
      treasury: bench.wallet,
      newWallet: newAddress,
      refused: {
        "the zero address": `0x${"0".repeat(40)}`,
        "the token of the fees": bench.feeToken,
        "a token that the service does not know": "0x20c0000000000000000000000000000000000002",
        "what takes the network's fees": "0xfeec000000000000000000000000000000000000",
        "the treasury's in lower case": bench.wallet.toLowerCase(),
        "a wrong checksum": "0x52908400098527886E0F7030069857D2E4169Ee7",
        "a Solana wallet": "4Nd1mYvJpQnLhqkHMDsZbPB5XAz9JvZz7hJm3sQG3eZw",
      },
      async work() {
        await bench.pass({ ...bench.newWorker({ on: paid }), onFinal: completeOwner });
        await tempo.mine();
        await tempo.mine();
      },
      costTolerance: 5,
      held: (owner) => tempo.balanceOf(paidToken, owner),
      async memoIn(hash) {
        const { logs } = (await tempo.call("eth_getTransactionReceipt", hash)) as { logs: { topics: string[] }[] };
        return logs.map(({ topics: [, , , memo = ""] }) => Buffer.from(memo.slice(2), "hex").toString("utf8")).join();
      },
    });
  });
});

describe("a recipient on Tempo", () => {
  it("is judged by the token's policy, which may forbid senders only", async () => {
    bench = await openTempoBench(tempo);
    const [node] = bench.chain.nodes;
    const [blocked, other] = [newAddress(), newAddress()];
    const token = await tempo.tokenUnderPolicy(blocked);
    expect(await node?.judgeRecipients?.([blocked, other, bench.feeToken], token)).toEqual([
      "The token's policy refuses the recipient.",
      null,
      "The token refuses the recipient: the funds would be lost.",
    ]);
    expect(await node?.judgeRecipients?.([blocked], bench.paidToken)).toEqual([null]);
  });
});

describe("how long payments are valid on Tempo", () => {
  it("is a setting that the start and each payment compare with what the node accepts", async () => {
    bench = await openTempoBench(tempo);
    const { chain, feeToken, paidToken, wallet } = bench;
    const valid = (validForSeconds: number) =>
      openTempoChain({
        chain: chain.chain,
        name: chain.name,
        rpcUrls: [tempo.url],
        confirmations: 2,
        tokens: [{ currency: "PATHUSD", address: feeToken, decimals: 6 }],
        feeCurrency: "PATHUSD",
        validForSeconds,
      });
    const start = (on: LapsingChain) => assertFitNodes({ evm: NO_CHAINS, lapsing: { list: () => [on], find: () => on }, mode: "sandbox" });
    await expect(start(valid(30))).resolves.toBeUndefined();
    // The node counts from its own time, which is a moment after its newest block's.
    const sentence = /accepts payments that are valid for 3\d seconds at most, not for 300: lower valid_for_seconds/;
    await expect(start(valid(300))).rejects.toMatchObject({ problems: [expect.stringMatching(sentence)] });
    const intent = { sender: wallet, recipient: newAddress(), token: paidToken, amountBase: 1n, reference: "one" };
    await expect(valid(300).nodes[0]?.prepare(intent)).rejects.toThrow(sentence);
    // The gas is that of the payment itself and a quarter more, also for a wallet that has never paid.
    const { bytes = "" } = (await valid(30).nodes[0]?.prepare(intent)) ?? {};
    const { gas } = decodePayment(bytes);
    const owed = await bench.enqueue({ recipient: newAddress() });
    const [{ txHash = null } = {}] = await bench.run(bench.newWorker(), [owed.id]);
    const { gasUsed } = (await tempo.call("eth_getTransactionReceipt", txHash)) as { gasUsed: string };
    expect((Number(gas) * 4) / 5 / Number(gasUsed)).toBeCloseTo(1, 1);
  });
});

describe("a payment on Tempo", () => {
  it("is paid with its reference as the memo, and its fee is booked in the fee token", async () => {
    bench = await openTempoBench(tempo);
    const before = await held();
    const owed = [await bench.enqueue(), await bench.enqueue(), await bench.enqueue()];
    await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    await expectPaidOnce(owed, before);
  });

  it(`is paid exactly once after a death at each of ${PAYING.length} steps`, async () => {
    bench = await openTempoBench(tempo);
    const before = await held();
    const owed: Transfer[] = [];
    for (const step of PAYING) {
      owed.push(await bench.enqueue(), await bench.enqueue());
      expect(await runToDeath(doomed(step, step === "claimed" ? 1 : 2)), `${step} was reached`).toBe(true);
      await bench.letLeasesLapse();
    }
    await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    await expectPaidOnce(owed, before);
  });

  it("contradicts the audit where it is said to be paid by something else", async () => {
    bench = await openTempoBench(tempo);
    const { id } = await bench.enqueue();
    await bench.run(bench.newWorker(), [id]);
    expect(await violations()).toEqual([]);
    await bench.sql`update transfers set tx_hash = 'forged' where id = ${id}`;
    expect(await violations()).toEqual([expect.stringMatching(/^transfer_hash_is_an_attempt: .*forged/)]);
  });

  it("lapses where no block includes it in time, and is made again once, also after a death there", async () => {
    bench = await openTempoBench(tempo);
    const before = await held();
    const owed = [await bench.enqueue()];
    const [{ id }] = owed as [Transfer];
    await bench.pass(bench.newWorker());
    await tempo.call("anvil_dropAllTransactions");
    await tempo.passWindow();
    expect(await runToDeath(doomed("lapsed", 1))).toBe(true);
    expect((await bench.attempts(id)).map(({ state }) => state)).toEqual(["lapsed"]);
    expect((await bench.transfer(id)).state).toBe("queued");
    await bench.run(bench.newWorker(), [id]);
    await expectPaidOnce(owed, before);
    expect(await violations()).toEqual([]);
    expect((await bench.attempts(id)).map(({ number, state }) => [number, state])).toEqual([
      [1, "lapsed"],
      [2, "paid"],
    ]);
  });

  it("is not made again where one of two nodes hides that a block has it", async () => {
    bench = await openTempoBench(tempo, { nodes: 2 });
    const before = await held();
    const owed = [await bench.enqueue()];
    const [{ id }] = owed as [Transfer];
    const [honest, other] = bench.chain.nodes as [LapsingNode, LapsingNode];
    // It reports the truth of an id that no block has.
    const liar: LapsingNode = { ...other, find: (attempt) => other.find({ ...attempt, id: `0x${"ab".repeat(32)}` }) };
    const deceived = bench.newWorker({ on: { ...bench.chain, nodes: [liar, honest] } });
    await bench.pass(deceived);
    await tempo.mine();
    await tempo.passWindow();
    for (let pass = 0; pass < 4; pass += 1) await bench.pass(deceived);
    expect(await bench.attempts(id)).toHaveLength(1);
    expect((await bench.transfer(id)).waitingReason).toMatch(/nodes contradict each other/);
    await bench.run(bench.newWorker(), [id]);
    await expectPaidOnce(owed, before);
  });

  it("to a recipient that the token refuses fails, and nothing is signed", async () => {
    bench = await openTempoBench(tempo);
    const owed = await bench.enqueue({ recipient: bench.feeToken });
    const [ended] = await bench.run(bench.newWorker(), [owed.id]);
    expect(ended).toMatchObject({ state: "failed", failureReason: "The token refuses the recipient: the funds would be lost." });
    expect(await bench.attempts(owed.id)).toHaveLength(0);
  });

  it("to the treasury itself or to the token's contract fails before anything is signed, however the address is written", async () => {
    bench = await openTempoBench(tempo);
    const before = await held();
    for (const address of [bench.wallet, bench.paidToken]) {
      for (const recipient of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
        const owed = await bench.enqueue({ recipient });
        const [ended] = await bench.run(bench.newWorker(), [owed.id], 3);
        expect(ended, recipient).toMatchObject({ state: "failed", failureReason: expect.stringMatching(/service's own|token's own/) });
        expect(await bench.attempts(owed.id)).toHaveLength(0);
      }
    }
    expect(await held()).toEqual(before);
  });

  it("that a block includes and the token refuses there is looked into by people, and what it cost is booked", async () => {
    bench = await openTempoBench(tempo);
    const before = await held();
    const owed = await bench.enqueue();
    await bench.pass(bench.newWorker());
    // The node forgets it. Somebody takes the tokens out meanwhile, and the same bytes are sent again.
    await tempo.call("anvil_dropAllTransactions");
    await tempo.take(bench.paidToken, bench.wallet, before.paid);
    const [ended] = await bench.run(bench.newWorker(), [owed.id]);
    expect(ended).toMatchObject({ state: "needs_review", reviewReason: "The treasury wallet holds too little of the token." });
    expect((await bench.attempts(owed.id)).map(({ state }) => state)).toEqual(["failed"]);
    expect(await tempo.balanceOf(bench.paidToken, owed.recipient)).toBe(0n);
    const [booked] = await bench.feesBooked();
    const taken = before.fees - (await tempo.balanceOf(bench.feeToken, bench.wallet)) - (await tempo.feeOfTaking());
    expect(booked).toEqual({ currency: "PATHUSD", base: taken });
  });

  it("is made once where database and journal were both put back", async () => {
    bench = await openTempoBench(tempo);
    const journal = makeTestJournal();
    const own: PutBackBench = {
      ...bench,
      journal,
      owe: () => bench.enqueue(),
      newWorker: (by) => bench.newWorker({ by }),
      advance: () => tempo.mine(),
      finish: () => tempo.mine(),
      lapse: () => tempo.passWindow(),
      held: (recipient) => tempo.balanceOf(bench.paidToken, recipient),
      announced: (id) => bench.finals(id),
    };
    await expectOnceAfterBoth(own);
    journal.remove();
  });

  it("waits while the wallet holds too little, for the amount or for the fee", async () => {
    bench = await openTempoBench(tempo, { fund: 0n });
    const owed = await bench.enqueue();
    const worker = bench.newWorker();
    await bench.pass(worker);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "queued",
      waitingReason: "The treasury wallet holds too little of the token.",
    });
    await tempo.give(bench.paidToken, bench.wallet, owed.amountBase);
    await tempo.mine();
    await bench.pass(worker);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "queued",
      waitingReason: expect.stringMatching(/holds too little of PATHUSD/),
    });
    await tempo.give(bench.feeToken, bench.wallet, 1_000_000n);
    const [paid] = await bench.run(worker, [owed.id]);
    expect(paid?.state).toBe("executed");
  });
});

describe("several payments in one transaction on Tempo", () => {
  const DEADLY: readonly LapsingStep[] = ["claimed", "prepared", "signed", "stored", "admitted", "sent", "noted", "final_written", "final"];

  it(`are paid exactly once after a death at each of ${DEADLY.length} steps, by fewer transactions`, async () => {
    bench = await openTempoBench(tempo, { packing: true });
    const before = await held();
    const owed: Transfer[] = [];
    for (const step of DEADLY) {
      owed.push(await bench.enqueue(), await bench.enqueue(), await bench.enqueue());
      expect(await runToDeath(doomed(step, 1)), `${step} was reached`).toBe(true);
      await bench.letLeasesLapse();
    }
    await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    await expectPaidOnce(owed, before);
    expect(await violations()).toEqual([]);
    const [{ packs } = { packs: 0 }] =
      await bench.sql`select count(distinct pack_id)::int as packs from pack_members where outcome = 'paid'`;
    expect(packs).toBeLessThanOrEqual(DEADLY.length + 1);
  });

  it("go alone where one of them is refused by the token, before it is signed or in its block", async () => {
    bench = await openTempoBench(tempo, { packing: true });
    const before = await held();
    const refused = await bench.enqueue({ recipient: bench.feeToken });
    const others = [await bench.enqueue(), await bench.enqueue()];
    await bench.run(
      bench.newWorker(),
      [refused, ...others].map(({ id }) => id),
    );
    expect(await bench.transfer(refused.id)).toMatchObject({ state: "failed" });
    await expectPaidOnce(others, before);
    const [one, two] = [await bench.enqueue(), await bench.enqueue()];
    await bench.pass(bench.newWorker());
    await tempo.call("anvil_dropAllTransactions");
    await tempo.take(bench.paidToken, bench.wallet, (await tempo.balanceOf(bench.paidToken, bench.wallet)) - one.amountBase);
    for (let passes = 0; passes < 5; passes += 1) {
      await bench.pass(bench.newWorker());
      await tempo.mine();
    }
    const states = await Promise.all([one, two].map(({ id }) => bench.transfer(id)));
    expect(states.map(({ state }) => state).sort(), "the treasury has enough for one of them").toEqual(["executed", "queued"]);
    expect(await bench.sql`select distinct outcome from pack_members`).toEqual([{ outcome: "unpaid" }]);
  });
});
