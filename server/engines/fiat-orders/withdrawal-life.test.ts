import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderWithdrawal } from "#contract/partner/fiat-answers.ts";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { listProviderEvents } from "#db/queries/fiat/provider-statement.ts";
import type { ProviderWord } from "#domain/fiat.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { withdrawalStatus } from "#domain/withdrawal.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { setClockOffset } from "#testing/factories.ts";
import { CALLBACK_URL, type FiatBench, openFiatBench, SAFE, TREASURY } from "#testing/fiat.ts";
import { runOrdersOnce } from "./run-orders.ts";

let bench: FiatBench;
beforeEach(async () => {
  bench = await openFiatBench();
});
afterEach(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  await bench.close();
});

const HOUR = 3_600_000;
const run = () => runOrdersOnce(bench.newEngine(), "withdrawals");
const report = (orderId: string, word: Partial<ProviderWord> = {}) =>
  takeProviderEvent(bench.ctx, {
    provider: FIRST_PROVIDER,
    kind: "withdrawal",
    orderId,
    word: { status: "succeeded", reference: "R-1", reason: null, ...word },
    body: "{}",
  });
const effects = async (id: string) => (await listProviderEvents(bench.db, id)).map(({ source, effect }) => `${source} ${effect}`);
const pool = async () => (await listPools(bench.db))[0];
const asked = () => bench.provider.asked.map(({ what }) => what);

/** A withdrawal whose sweep is final: the provider is to pay it out. */
async function swept(): Promise<string> {
  const { id } = await bench.withdraw();
  await run();
  await bench.endTransfer("sweep", id, { txHash: "0xaa" });
  return id;
}

describe("a withdrawal", () => {
  it("is swept, paid out once the sweep is final, and completed by the provider's word, with one callback", async () => {
    const { id } = await bench.withdraw();
    await run();
    expect(await bench.withdrawal(id)).toMatchObject({ step: "sweeping", treasuryAddress: TREASURY, txHash: null });
    const sweep = await bench.transferOf("sweep", id);
    expect(sweep).toMatchObject({ recipient: TREASURY, amountBase: 7_815_501n, call: { to: SAFE }, state: "queued" });
    await run();
    expect(bench.provider.asked, "not before the sweep is final").toEqual([]);

    await bench.endTransfer("sweep", id, { txHash: "0xaa" });
    expect(withdrawalStatus(await bench.withdrawal(id))).toBe("processing");
    await run();
    expect(bench.provider.asked).toEqual([
      {
        what: "payOut",
        id,
        order: { id, amountMinor: 100_000n, currency: "KES", account: { type: "mobile_money", account: "+254700000000", name: "Wanjiru" } },
      },
    ]);
    expect(await pool()).toMatchObject({ totalMinor: 1_000_000n, reservedMinor: 100_000n });

    await report(id);
    const done = await bench.withdrawal(id);
    expect(done).toMatchObject({ step: "paid", txHash: "0xaa", providerReference: "R-1", failureReason: null });
    expect(await pool()).toMatchObject({ totalMinor: 900_000n, reservedMinor: 0n });
    const callbacks = await listCallbacksOf(bench.db, [id]);
    expect(callbacks.map(({ event, url }) => [event, url])).toEqual([["withdrawal.completed", CALLBACK_URL]]);
    expect(callbacks[0]?.body).toBe(JSON.stringify({ event: "withdrawal.completed", ...renderWithdrawal(done) }));
    await run();
    expect(asked()).toEqual(["payOut"]);
  });

  it("whose sweep fails has taken nothing: it fails, frees the pool and asks nobody to pay", async () => {
    const { id } = await bench.withdraw();
    await run();
    await bench.endTransfer("sweep", id, { reason: "The chain reverted the transaction." });
    await run();
    expect(await bench.withdrawal(id)).toMatchObject({ step: "released", failureReason: "The chain reverted the transaction." });
    expect(await pool()).toMatchObject({ totalMinor: 1_000_000n, reservedMinor: 0n });
    expect((await listCallbacksOf(bench.db, [id])).map(({ event }) => event)).toEqual(["withdrawal.failed"]);
    expect(asked()).toEqual([]);
    expect(await bench.transferOf("return", id)).toBeNull();
  });

  it("out of a Safe that is not ours fails before anything is sent", async () => {
    const { id } = await bench.withdraw();
    const stubborn = bench.newEngine({ planSweep: () => Promise.reject(new Rejected("The Safe is not controlled by the service.")) });
    await runOrdersOnce(stubborn, "withdrawals");
    expect(await bench.withdrawal(id)).toMatchObject({ step: "released", failureReason: "The Safe is not controlled by the service." });
    expect(await bench.transferOf("sweep", id)).toBeNull();
    expect((await pool())?.reservedMinor).toBe(0n);
  });

  it("waits while the chain cannot be asked", async () => {
    const { id } = await bench.withdraw();
    const deaf = bench.newEngine({ planSweep: () => Promise.reject(new Unreachable("no node")) });
    await runOrdersOnce(deaf, "withdrawals");
    expect((await bench.withdrawal(id)).step).toBe("reserved");
    await setClockOffset(bench.db, 10_000);
    await run();
    expect((await bench.withdrawal(id)).step).toBe("sweeping");
  });

  it("that cannot be paid out gives the crypto back, to the last unit, and only then fails", async () => {
    const id = await swept();
    await run();
    await report(id, { status: "failed", reason: "No such account" });
    expect(await bench.withdrawal(id)).toMatchObject({ step: "returning", failureReason: "No such account." });
    expect(await bench.transferOf("return", id)).toMatchObject({ recipient: SAFE, amountBase: 7_815_501n, call: null });
    expect((await pool())?.reservedMinor).toBe(0n);
    expect(await listCallbacksOf(bench.db, [id])).toEqual([]);

    await bench.endTransfer("return", id, { txHash: "0xbb" });
    expect(await bench.withdrawal(id)).toMatchObject({
      step: "returned",
      txHash: "0xaa",
      returnTxHash: "0xbb",
      failureReason: "No such account. The crypto was returned.",
    });
    const sent = await listCallbacksOf(bench.db, [id]);
    expect(sent.map(({ event }) => event)).toEqual(["withdrawal.failed"]);
    expect(JSON.parse(sent[0]?.body ?? "{}")).toMatchObject({ status: "failed", tx_hash: "0xaa", return_tx_hash: "0xbb" });
    expect((await pool())?.totalMinor).toBe(1_000_000n);
  });

  it("whose way back is barred says so", async () => {
    const id = await swept();
    await run();
    await report(id, { status: "failed", reason: "No such account" });
    await bench.endTransfer("return", id, { reason: "The token refuses it." });
    expect(await bench.withdrawal(id)).toMatchObject({
      step: "unreturned",
      failureReason: "No such account. The crypto could not be returned: The token refuses it.",
    });
  });
});

describe("a provider", () => {
  it("that answers at once is believed at once", async () => {
    const id = await swept();
    bench.provider.answers({ status: "succeeded", reference: "R-7", reason: null, instructions: null });
    await run();
    expect(await bench.withdrawal(id)).toMatchObject({ step: "paid", providerReference: "R-7" });
    expect(await effects(id)).toEqual(["answer applied"]);
  });

  it("that is silent for an hour is asked, again every hour, and never given the order twice", async () => {
    const id = await swept();
    await run();
    await setClockOffset(bench.db, HOUR - 60_000);
    await run();
    expect(asked()).toEqual(["payOut"]);
    await setClockOffset(bench.db, HOUR + 1_000);
    await run();
    await run();
    expect(asked()).toEqual(["payOut", "lookUp"]);
    bench.provider.answers({ status: "succeeded", reference: "R-1", reason: null, instructions: null });
    await setClockOffset(bench.db, 2 * HOUR + 2_000);
    await run();
    expect(asked()).toEqual(["payOut", "lookUp", "lookUp"]);
    expect((await bench.withdrawal(id)).step).toBe("paid");
    expect(await effects(id)).toEqual(["look_up applied"]);
  });

  it("that cannot be reached is tried again, ever more rarely; silence is no failure", async () => {
    const id = await swept();
    bench.provider.answers(new Unreachable("no route"));
    for (let offset = 0; offset < 3 * HOUR; offset += 60_000) {
      await setClockOffset(bench.db, offset);
      await run();
    }
    expect((await bench.withdrawal(id)).step).toBe("paying_out");
    expect(asked().length).toBeGreaterThan(30);
    expect(asked().length).toBeLessThan(50);
    const [row] = await bench.sql`select waiting_reason from withdrawals where id = ${id}`;
    expect(row?.waiting_reason).toBe("The fiat provider cannot be reached.");
    bench.provider.answers({ status: "pending", reference: "R-1", instructions: null });
    await setClockOffset(bench.db, 4 * HOUR);
    await run();
    const [now] = await bench.sql`select waiting_reason from withdrawals where id = ${id}`;
    expect(now?.waiting_reason).toBeNull();
  });

  it("that refuses the order is believed, and the crypto goes back", async () => {
    const id = await swept();
    bench.provider.answers(new Rejected("Account closed"), null);
    await run();
    expect(asked()).toEqual(["payOut", "lookUp"]);
    expect(await bench.withdrawal(id)).toMatchObject({ step: "returning", failureReason: "Account closed." });
  });

  it("that refuses an order which it had taken after all is not believed", async () => {
    const id = await swept();
    bench.provider.answers(new Rejected("Duplicate"), { status: "pending", reference: "R-1", instructions: null });
    await run();
    expect(await bench.withdrawal(id)).toMatchObject({ step: "paying_out", providerReference: "R-1" });
    await report(id);
    expect((await bench.withdrawal(id)).step).toBe("paid");
  });
});

describe("words that repeat, come early, late or disagree are recorded, and change nothing", () => {
  async function unchanged(id: string, words: () => Promise<unknown>): Promise<void> {
    const before = { withdrawal: await bench.withdrawal(id), pool: await pool(), callbacks: await listCallbacksOf(bench.db, [id]) };
    await words();
    expect({ withdrawal: await bench.withdrawal(id), pool: await pool(), callbacks: await listCallbacksOf(bench.db, [id]) }).toEqual(
      before,
    );
  }

  it("before the sweep is final", async () => {
    const { id } = await bench.withdraw();
    await unchanged(id, () => report(id));
    await run();
    await unchanged(id, () => report(id, { status: "failed" }));
    expect(await effects(id)).toEqual(["callback contradicted", "callback contradicted"]);
    expect(bench.lines.filter(({ level }) => level === "error")).toHaveLength(2);
  });

  it("paid twice: the same word again, and money that moved twice", async () => {
    const id = await swept();
    await run();
    await report(id);
    await unchanged(id, () => report(id));
    await unchanged(id, () => report(id, { reference: "R-2" }));
    expect(await effects(id)).toEqual(["callback applied", "callback repeated", "callback contradicted"]);
  });

  it("failed after paid", async () => {
    const id = await swept();
    await run();
    await report(id);
    await unchanged(id, () => report(id, { status: "failed", reason: "sorry" }));
    expect(await effects(id)).toEqual(["callback applied", "callback contradicted"]);
    expect(await bench.transferOf("return", id)).toBeNull();
  });

  it("paid after failed: during the return and after it", async () => {
    const id = await swept();
    await run();
    await report(id, { status: "failed" });
    await unchanged(id, () => report(id));
    await bench.endTransfer("return", id, { txHash: "0xbb" });
    await unchanged(id, () => report(id));
    await unchanged(id, () => report(id, { status: "failed" }));
    expect(await effects(id)).toEqual(["callback applied", "callback contradicted", "callback contradicted", "callback repeated"]);
  });

  it("about an order that is not ours, or of the other kind: not found, and recorded", async () => {
    const topup = await bench.topUp();
    const strange = "wd_00000000000000000000000000";
    await expect(report(strange)).rejects.toMatchObject({ code: "not_found" });
    await expect(report(topup.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(report("nonsense")).rejects.toMatchObject({ code: "not_found" });
    for (const id of [strange, topup.id, "nonsense"]) expect(await effects(id)).toEqual(["callback unknown_order"]);
    expect((await bench.topup(topup.id)).step).toBe("collecting");
  });

  it("twenty at once, of both kinds: one is applied", async () => {
    const id = await swept();
    await run();
    await Promise.all(Array.from({ length: 20 }, (_, index) => report(id, { status: index % 2 === 0 ? "succeeded" : "failed" })));
    const all = await effects(id);
    expect(all.filter((each) => each === "callback applied")).toHaveLength(1);
    expect(all).toHaveLength(20);
    const { step } = await bench.withdrawal(id);
    expect(["paid", "returning"]).toContain(step);
    expect((await pool())?.totalMinor).toBe(step === "paid" ? 900_000n : 1_000_000n);
  });
});
