import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderTopup } from "#contract/partner/fiat-answers.ts";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { listProviderEvents } from "#db/queries/fiat/provider-statement.ts";
import { formatDecimal } from "#domain/decimal.ts";
import type { ProviderWord } from "#domain/fiat.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { isRefusal } from "#domain/refusal.ts";
import { Rejected } from "#server/ports.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { readTopup } from "#server/services/fiat/read-orders.ts";
import { type RequestTopup, requestTopup } from "#server/services/fiat/request-topup.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { addPartner, setClockOffset, setRate } from "#testing/factories.ts";
import { type FiatBench, MEMBER_SAFE, openFiatBench } from "#testing/fiat.ts";
import { runOrdersOnce } from "./run-orders.ts";

let bench: FiatBench;
beforeEach(async () => {
  bench = await openFiatBench();
});
afterEach(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  await bench.close();
});

const run = () => runOrdersOnce(bench.newEngine(), "topups");
const report = (orderId: string, word: Partial<ProviderWord> = {}) =>
  takeProviderEvent(bench.ctx, {
    provider: FIRST_PROVIDER,
    kind: "topup",
    orderId,
    word: { status: "succeeded", reference: "R-1", reason: null, ...word },
    body: "{}",
  });
const effects = async (id: string) => (await listProviderEvents(bench.db, id)).map(({ source, effect }) => `${source} ${effect}`);
const refusalOf = (values: Partial<RequestTopup>) =>
  requestTopup(bench.ctx, bench.topupOf(values)).then(
    () => null,
    (error: unknown) => (isRefusal(error) ? error.code : error),
  );

describe("a requested top-up", () => {
  it("is priced at once like a settlement, without the partner's fee, and shows the member how to pay", async () => {
    const topup = await bench.topUp();
    expect(topup).toMatchObject({
      step: "collecting",
      feeMinor: 1_500n,
      destinationAmountBase: 7_584_500n,
      walletAddress: MEMBER_SAFE,
      payment: { reference: topup.id, instructions: "Confirm the request for KES 1000.00 on the phone +254700000000." },
    });
    expect(formatDecimal(topup.exchangeRate)).toBe("0.0077");
    expect(await readTopup(bench.ctx, { partnerId: bench.partner.partnerId, id: topup.id })).toEqual(topup);
    const other = await addPartner(bench.db);
    await expect(readTopup(bench.ctx, { partnerId: other.partnerId, id: topup.id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("repeated answers what exists; another request under its external_id is a conflict", async () => {
    const command = bench.topupOf();
    const answers = await Promise.all(Array.from({ length: 12 }, () => requestTopup(bench.ctx, command)));
    expect(new Set(answers.map(({ topup }) => topup.id)).size).toBe(1);
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    for (const change of [{ amountMinor: 1n }, { source: { type: "bank_account" as const, account: "1" } }, { callbackUrl: null }]) {
      await expect(requestTopup(bench.ctx, { ...command, ...change })).rejects.toMatchObject({ code: "conflict" });
    }
  });

  it.each<[string, Partial<RequestTopup>]>([
    ["not_found", { externalUserId: "nobody" }],
    ["amount_too_small", { amountMinor: 99n }],
    ["amount_too_large", { amountMinor: 100_000_001n }],
    ["unsupported_pair", { currency: "XXX" }],
    ["unsupported_pair", { destinationCurrency: "DOGE" }],
    ["unsupported_chain", { chain: "eip155:1" }],
  ])("is refused as %s: %o", async (code, values) => {
    expect(await refusalOf(values)).toBe(code);
    expect(await bench.sql`select 1 from topups`).toHaveLength(0);
  });

  it("needs a wallet to send to", async () => {
    await bench.addMember(bench.partner, { externalUserId: "waiting", walletAddress: null, safeStatus: "deploying" });
    await bench.addMember(bench.partner, { externalUserId: "broken", safeStatus: "failed" });
    await bench.addMember(bench.partner, { externalUserId: "own", safeStatus: null });
    for (const [externalUserId, safe_status] of [
      ["waiting", "deploying"],
      ["broken", "failed"],
    ] as const) {
      await expect(requestTopup(bench.ctx, { ...bench.topupOf(), externalUserId })).rejects.toMatchObject({
        code: "conflict",
        particulars: { members: { safe_status } },
      });
    }
    expect(await refusalOf({ externalUserId: "own" })).toBeNull();
  });
});

describe("a top-up", () => {
  it("is collected, sent at the price it was requested at, and completed, with one callback", async () => {
    const { id } = await bench.topUp();
    await run();
    expect(bench.provider.asked).toEqual([
      {
        what: "collect",
        id,
        order: { id, amountMinor: 100_000n, currency: "KES", account: { type: "mobile_money", account: "+254700000000", name: null } },
      },
    ]);
    await setRate(bench.db, "0.5");
    await report(id);
    expect(await bench.topup(id)).toMatchObject({ step: "sending", providerReference: "R-1" });
    expect(await bench.transferOf("topup", id)).toMatchObject({ recipient: MEMBER_SAFE, amountBase: 7_584_500n, call: null });
    expect(await bench.poolTotal()).toBe(1_100_000n);
    await bench.endTransfer("topup", id, { txHash: "0xaa" });
    const done = await bench.topup(id);
    expect(done).toMatchObject({ step: "sent", txHash: "0xaa" });
    const callbacks = await listCallbacksOf(bench.db, [id]);
    expect(callbacks.map(({ body }) => body)).toEqual([JSON.stringify({ event: "topup.completed", ...renderTopup(done) })]);
  });

  it("shows the provider's instructions for the payer", async () => {
    const { id } = await bench.topUp();
    bench.provider.answers({ status: "pending", reference: "R-1", instructions: "Dial *334#." });
    await run();
    expect(await bench.topup(id)).toMatchObject({ payment: { reference: id, instructions: "Dial *334#." }, providerReference: "R-1" });
  });

  it("that nobody pays fails, and nothing is sent", async () => {
    const { id } = await bench.topUp();
    await run();
    await report(id, { status: "failed", reason: "Timed out" });
    expect(await bench.topup(id)).toMatchObject({ step: "uncollected", failureReason: "Timed out." });
    expect(await bench.transferOf("topup", id)).toBeNull();
    expect((await listCallbacksOf(bench.db, [id])).map(({ event }) => event)).toEqual(["topup.failed"]);
    expect(await bench.poolTotal()).toBe(1_000_000n);
  });

  it("that the provider refuses fails", async () => {
    const { id } = await bench.topUp();
    bench.provider.answers(new Rejected("Unknown account"), null);
    await run();
    expect(await bench.topup(id)).toMatchObject({ step: "uncollected", failureReason: "Unknown account." });
  });

  it("whose crypto the chain refuses fails, with the reason", async () => {
    const { id } = await bench.topUp();
    await report(id);
    await bench.endTransfer("topup", id, { reason: "The receiving wallet is blocklisted." });
    expect(await bench.topup(id)).toMatchObject({ step: "unsent", failureReason: "The receiving wallet is blocklisted." });
    expect((await listCallbacksOf(bench.db, [id])).map(({ event }) => event)).toEqual(["topup.failed"]);
  });

  it("is asked about when the provider is silent for an hour", async () => {
    const { id } = await bench.topUp();
    await run();
    await setClockOffset(bench.db, 3_601_000);
    bench.provider.answers({ status: "succeeded", reference: "R-1", reason: null, instructions: null });
    await run();
    expect(bench.provider.asked.map(({ what }) => what)).toEqual(["collect", "lookUp"]);
    expect((await bench.topup(id)).step).toBe("sending");
    expect(await effects(id)).toEqual(["look_up applied"]);
  });
});

describe("words that repeat, come early, late or disagree", () => {
  it("paid before the provider has answered is paid; its answer afterwards changes nothing", async () => {
    const { id } = await bench.topUp();
    await report(id);
    await run();
    expect(bench.provider.asked).toEqual([]);
    expect((await bench.topup(id)).step).toBe("sending");
  });

  it("paid twice sends once; under another reference operators are notified", async () => {
    const { id } = await bench.topUp();
    await report(id);
    await report(id);
    await report(id, { reference: "R-2" });
    expect(await effects(id)).toEqual(["callback applied", "callback repeated", "callback contradicted"]);
    expect(bench.lines.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(await bench.poolTotal()).toBe(1_100_000n);
  });

  it("failed after paid, and paid after failed, have no effect", async () => {
    const paid = await bench.topUp();
    await report(paid.id);
    await report(paid.id, { status: "failed" });
    const failed = await bench.topUp();
    await report(failed.id, { status: "failed" });
    await report(failed.id);
    expect([(await bench.topup(paid.id)).step, (await bench.topup(failed.id)).step]).toEqual(["sending", "uncollected"]);
    for (const { id } of [paid, failed]) expect(await effects(id)).toEqual(["callback applied", "callback contradicted"]);
    expect(await bench.transferOf("topup", failed.id)).toBeNull();
  });

  it("twenty at once, of both kinds: one is applied", async () => {
    const { id } = await bench.topUp();
    await Promise.all(Array.from({ length: 20 }, (_, index) => report(id, { status: index % 2 === 0 ? "succeeded" : "failed" })));
    expect((await effects(id)).filter((each) => each === "callback applied")).toHaveLength(1);
  });
});
