import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { listHoldsOf, listOpenHolds } from "#db/queries/holds/payment-holds.ts";
import type { ByPerson } from "#domain/access.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "#domain/exposure-limit.ts";
import { newId } from "#domain/ids.ts";
import { PAYEES } from "#domain/screening.ts";
import type { Transfer } from "#domain/transfer.ts";
import { createScreener } from "#server/adapters/screening/screener.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { approvePayee } from "#server/services/fiat/approve-payee.ts";
import { readPayoutWait } from "#server/services/fiat/read-orders.ts";
import { refusePayment, releasePayment } from "#server/services/holds/decide-hold.ts";
import { endWaits } from "#server/services/holds/end-waits.ts";
import { judgeBeforeSigning } from "#server/services/holds/judge-before-signing.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { findFacts } from "#server/services/notifications/find-facts.ts";
import { changeRole } from "#server/services/people/manage-people.ts";
import { listDestinations, screenedPurposes, screeningCheck } from "#server/services/screening/screening-check.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { addPartner, addTerms, setClockOffset, TEST_CHAIN } from "#testing/factories.ts";
import { SAFE } from "#testing/fiat.ts";
import { type LimitedBench, openLimitedBench } from "#testing/limited-payments.ts";
import { addOperatorKey, addPerson, addProvenPerson, longProven, refusalOf } from "#testing/people.ts";
import { plantTransfer } from "#testing/plant-transfer.ts";
import { openLimits } from "./set-limit.ts";

let bench: LimitedBench;

beforeAll(async () => {
  bench = await openLimitedBench();
});
afterEach(async () => {
  await bench.noLimits();
  await setClockOffset(bench.db, 0);
});
afterAll(() => bench.close());

const atto = ({ amountBase }: Transfer) => amountBase * 10n ** 12n;

describe("a payout", () => {
  const by = async () => (await addProvenPerson(bench.db, "admin")).by;
  const about = ({ ownerId }: Transfer) => ({ purpose: "sweep" as const, ownerId, reason: "Looked into." });
  const given = (id: string) => bench.provider.asked.filter((one) => one.id === id).length;

  it("that is held has taken nothing and is ordered from nobody; released, it is swept and paid out once", async () => {
    await bench.limit({ countedBy: "destination", amountAtto: 0n, windowSeconds: HOUR_SECONDS, purpose: "withdrawal" });
    const held = await bench.enqueuePayment.withdrawal();
    await bench.judge(held);
    await runOrdersOnce(bench.newEngine(), "withdrawals");
    expect([(await bench.withdrawal(held.ownerId)).step, given(held.ownerId)]).toEqual(["sweeping", 0]);
    const { held: shown } = await listOpenHolds(bench.db, 100);
    expect(shown.find(({ ownerId }) => ownerId === held.ownerId)).toMatchObject({
      purpose: "sweep",
      recipient: "+254700000000",
      currency: "USDT",
    });
    await releasePayment({ ...bench.ctx, mode: "sandbox" }, { ...about(held), by: await by() });
    expect(await bench.judge(await bench.transferOf("sweep", held.ownerId))).toEqual([]);
    await bench.endTransfer("sweep", held.ownerId, { txHash: "0xbb" });
    await runOrdersOnce(bench.newEngine(), "withdrawals");
    expect(given(held.ownerId)).toBe(1);
    // Four events of it say "processing": two for its steps, one for the hold and one for the release.
    const { rules } = await auditDatabase(bench, { without: WITHOUT_CHAIN });
    expect(rules.find(({ rule }) => rule === "change_has_its_event")?.violations).toEqual([]);
  });

  it("that is refused fails with the reason, frees its pool, takes nothing and calls its partner back", async () => {
    await bench.limit({ countedBy: "member", amountAtto: 0n, windowSeconds: HOUR_SECONDS });
    const reserved = async () => (await listPools(bench.db))[0]?.reservedMinor ?? -1n;
    const before = await reserved();
    const held = await bench.enqueuePayment.withdrawal();
    await bench.judge(held);
    expect(await reserved()).toBe(before + 100_000n);
    await refusePayment(bench.ctx, { ...about(held), by: await by(), reason: "Not this payee.", onFinal: completeOwner });
    expect(await bench.withdrawal(held.ownerId)).toMatchObject({ step: "released", failureReason: "Not this payee.", txHash: null });
    expect([await reserved(), given(held.ownerId)]).toEqual([before, 0]);
    expect((await listCallbacksOf(bench.db, [held.ownerId])).map(({ event }) => event)).toEqual(["withdrawal.failed"]);
  });

  it("is counted by its payee's account, however that is written", async () => {
    const one = await bench.enqueuePayment.withdrawal({ account: "+254 711-000-001" });
    const id = await bench.limit({ countedBy: "destination", windowSeconds: DAY_SECONDS, amountAtto: atto(one) });
    const [same, other] = [
      await bench.enqueuePayment.withdrawal({ account: "+254711000001" }),
      await bench.enqueuePayment.withdrawal({ account: "+254711000002" }),
    ];
    expect(await bench.judge(one, same)).toEqual([same.id]);
    expect(await bench.judge(other)).toEqual([]);
    const counters = await bench.sql<{ counter: string }[]>`select counter from exposure_counters where limit_id = ${id} order by 1`;
    expect(counters.map(({ counter }) => counter)).toEqual(["254711000001", "254711000002"]);
  });

  it("to a payee on the list passes, and to a new payee waits until one is completed and the wait is over", async () => {
    await bench.limit({ kind: "allow_list", addresses: ["+254 722 000 001"], purpose: "withdrawal" });
    const [listed, other] = [
      await bench.enqueuePayment.withdrawal({ account: "+254722000001" }),
      await bench.enqueuePayment.withdrawal({ account: "+254722000002" }),
    ];
    expect([await bench.judge(listed), await bench.judge(other)]).toEqual([[], [other.id]]);
    await bench.noLimits();
    await bench.endTransfer("sweep", listed.ownerId, { txHash: "0xcc" });
    await bench.hear("withdrawal", listed.ownerId, "succeeded");
    await bench.limit({ kind: "new_destination", waitSeconds: DAY_SECONDS, purpose: "withdrawal" });
    const soon = await bench.enqueuePayment.withdrawal({ account: "+254-722-000-001" });
    expect(await bench.judge(soon)).toEqual([soon.id]);
    await setClockOffset(bench.db, 25 * HOUR_SECONDS * 1_000);
    expect(await bench.judge(await bench.enqueuePayment.withdrawal({ account: "+254722000001" }))).toEqual([]);
  });
});

describe("a payout to a new payee", () => {
  const NEW_PAYEE = { kind: "new_destination", waitSeconds: DAY_SECONDS, purpose: "withdrawal" } as const;
  const stateOf = async ({ ownerId }: Transfer) =>
    (await listHoldsOf(bench.db, [ownerId])).map(({ outcome, decision }) => [outcome, decision?.by ?? null]);

  it("waits for the day, goes on by itself, and is signed once", async () => {
    await bench.limit(NEW_PAYEE);
    const first = await bench.enqueuePayment.withdrawal({ account: "+254744000001" });
    expect(await bench.judge(first)).toEqual([first.id]);
    await setClockOffset(bench.db, 23 * HOUR_SECONDS * 1_000);
    expect([await endWaits(bench), await stateOf(first)]).toEqual([0, [["open", null]]]);
    await setClockOffset(bench.db, 25 * HOUR_SECONDS * 1_000);
    const both = await Promise.all([endWaits(bench), endWaits(bench)]);
    expect([both.toSorted(), await stateOf(first)]).toEqual([[0, 1], [["ended", null]]]);
    expect(await bench.judge(await bench.transferOf("sweep", first.ownerId))).toEqual([]);
  });

  it("goes on after a yes of an owner who did not ask for it, as do all payouts to that account; and says at every turn why it waits", async () => {
    await bench.limit(NEW_PAYEE);
    const account = "+254744000009";
    const { partnerId } = bench.partner;
    const old = { createdAt: new Date(Date.now() - 2 * DAY_SECONDS * 1_000) };
    const owner = async () => await addPerson(bench.db, "owner", partnerId, old);
    const [asker, yes] = [await owner(), await owner()];
    const held = await bench.enqueuePayment.withdrawal({ account, by: asker.by });
    expect(await bench.judge(held)).toEqual([held.id]);
    const approve = async (who: ByPerson, mode: "live" | "sandbox" = "live") =>
      await refusalOf(approvePayee({ ...bench.ctx, mode }, { by: who, partnerId, id: held.ownerId }));
    const shown = async () => (await readPayoutWait(bench.ctx, await bench.withdrawal(held.ownerId)))?.reason ?? null;
    expect([await approve(asker.by), await shown(), await findFacts(bench.ctx)]).toEqual(["same_person", "new_payee", 2]);
    expect(await approve((await addPerson(bench.db, "staff", partnerId)).by)).toBe("forbidden");
    // The asker alone makes an owner, by an invitation or a role: that one is no second person yet.
    const invited = await addPerson(bench.db, "owner", partnerId);
    const promoted = await addPerson(bench.db, "staff", partnerId, old);
    await changeRole({ ...bench.ctx, mode: "live" }, { by: asker.by, userId: promoted.id, role: "owner" });
    const asOwner = { ...promoted.by, actor: { ...promoted.by.actor, role: "owner" as const } };
    expect([await approve(invited.by), await approve(asOwner)]).toEqual(["same_approver", "same_approver"]);
    const stranger = await addPerson(bench.db, "owner", (await addPartner(bench.db)).partnerId);
    expect(
      await refusalOf(approvePayee(bench.ctx, { by: stranger.by, partnerId: stranger.by.actor.partnerId ?? "", id: held.ownerId })),
    ).toBe("not_found");
    expect([await endWaits(bench), await approve({ ...yes.by, proof: longProven() })]).toEqual([0, "step_up_required"]);
    expect([await approve(yes.by), await approve(yes.by)]).toEqual([null, null]);
    const same = await bench.enqueuePayment.withdrawal({ account: "+254 744 000 009" });
    expect(await bench.judge(same)).toEqual([same.id]);
    expect([await endWaits(bench), await shown(), await stateOf(held)]).toEqual([2, null, [["ended", null]]]);
    expect(await approve(yes.by)).toBe("invalid_state");
    const published = await bench.sql<
      { type: string; reason: string | null }[]
    >`select type, data ->> 'waiting_reason' as reason from events
      where object_id = ${held.ownerId} order by version`;
    expect(published.slice(-2)).toEqual([
      { type: "withdrawal.processing", reason: "new_payee" },
      { type: "withdrawal.processing", reason: null },
    ]);
    const { actor } = await addOperatorKey(bench.db, yes.id, { partnerId });
    const apiKeyId = actor.type === "operator_key" ? actor.apiKeyId : "";
    const by = { actor: { type: "api_key", apiKeyId, partnerId }, requestId: null } as const;
    const byKey = await bench.enqueuePayment.withdrawal({ account: "+254744000010", by });
    await bench.judge(byKey);
    expect(await refusalOf(approvePayee({ ...bench.ctx, mode: "live" }, { by: yes.by, partnerId, id: byKey.ownerId }))).toBe("same_person");
  });

  it("that another limit holds too waits for people, and one that was refused never goes on", async () => {
    await bench.limit(NEW_PAYEE);
    await bench.limit({ countedBy: "destination", amountAtto: 0n, windowSeconds: HOUR_SECONDS, purpose: "withdrawal" });
    const [held, refused] = [
      await bench.enqueuePayment.withdrawal({ account: "+254744000002" }),
      await bench.enqueuePayment.withdrawal({ account: "+254744000003" }),
    ];
    expect(await bench.judge(held)).toEqual([held.id]);
    await bench.judge(refused);
    const by = (await addProvenPerson(bench.db, "admin")).by;
    const decision = { purpose: "sweep" as const, ownerId: refused.ownerId, reason: "Not this payee.", by, onFinal: completeOwner };
    await refusePayment(bench.ctx, decision);
    await setClockOffset(bench.db, 25 * HOUR_SECONDS * 1_000);
    expect([await endWaits(bench), await stateOf(held)]).toEqual([0, [["open", null]]]);
    expect((await stateOf(refused)).map(([outcome]) => outcome)).toEqual(["refused"]);
  });
});

describe("a payout to a payee whom the list names", () => {
  it("is held before its crypto is taken, until people release it; the same finding then holds it no more", async () => {
    const folder = mkdtempSync(join(tmpdir(), "names-"));
    const names = join(folder, "names.txt");
    writeFileSync(names, "# names: 1\nWANJIRU\n");
    const settings = { isOn: true, confirmMs: 1_000, list: null, names, oracles: {}, blocklists: [] };
    const screener = createScreener(settings, { evm: { list: () => [], find: () => null }, log: bench.ctx.log });
    const screened = async (transfer: Transfer) => {
      const [said] = await screener.screen(await listDestinations(bench.db, [transfer]), "sign");
      const check = screeningCheck(new Map(said === undefined ? [] : [[transfer.id, said]]), screenedPurposes(screener));
      const about = { walletId: "00000000-0000-4000-8000-00000000000a", now: new Date() };
      return [said?.outcome, [...(await bench.db.transaction((tx) => judgeBeforeSigning(tx, [transfer], about, [check])))]];
    };
    const held = await bench.enqueuePayment.withdrawal({ account: "+254755000001" });
    expect(await screened(held)).toEqual(["hit", [held.id]]);
    expect((await listHoldsOf(bench.db, [held.ownerId])).map(({ check, keys }) => [check, keys])).toEqual([
      ["screening", ["names names.txt"]],
    ]);
    expect((await readPayoutWait(bench.ctx, await bench.withdrawal(held.ownerId)))?.reason).toBe("hold");
    const { by } = await addProvenPerson(bench.db, "admin");
    const decision = { purpose: "sweep" as const, ownerId: held.ownerId, reason: "Another Wanjiru.", by };
    expect(await releasePayment({ ...bench.ctx, mode: "live" }, decision)).toBe(false);
    await bench.sql`update proposals set outcome = 'withdrawn', decided_at = now(), decider_type = 'user', decider_id = ${by.actor.userId},
      decider_name = 'x' where outcome = 'open'`;
    await releasePayment({ ...bench.ctx, mode: "sandbox" }, decision);
    expect(await screened(await bench.transferOf("sweep", held.ownerId))).toEqual(["hit", []]);
    writeFileSync(names, "# names: 1\nSomebody Else\n");
    const other = createScreener(settings, { evm: { list: () => [], find: () => null }, log: bench.ctx.log });
    expect(await other.screen([{ chain: PAYEES, tokenAddress: null, address: "Wanjiru" }], "sign")).toMatchObject([{ outcome: "clear" }]);
    expect(other.state().covers).toMatchObject([{ chain: PAYEES, covered: true }]);
    rmSync(folder, { recursive: true });
  });
});

describe("what a live service begins with", () => {
  it("holds payouts, top-ups of a member, what leaves the hot wallet, and whatever has no pair", async () => {
    await openLimits(bench);
    await addTerms(bench.db, { version: 2, maximumSourceMinor: 100_000n });
    const heldBy = async ({ ownerId }: Transfer) => (await listHoldsOf(bench.db, [ownerId])).flatMap(({ keys }) => keys).toSorted();

    // Three times the pair's maximum an hour, the fee counted in; a payee is known once it was paid more than a day ago.
    await bench.sql`update withdrawals set completed_at = completed_at - interval '2 days' where destination_account = '+254722000001' and completed_at is not null`;
    const payouts = [];
    for (let each = 0; each < 3; each += 1) payouts.push(await bench.enqueuePayment.withdrawal({ account: "+254722000001" }));
    const third = payouts.at(-1);
    expect(await bench.judge(...payouts)).toEqual([third?.id]);
    expect(third && (await heldBy(third))).toEqual(["default-payee-hour"]);
    const stranger = await bench.enqueuePayment.withdrawal({ account: "+254733000001" });
    expect(await bench.judge(stranger)).toEqual([stranger.id]);
    expect(await heldBy(stranger)).toEqual(["default-new-payee"]);

    const topups = [];
    for (let each = 0; each < 9; each += 1) topups.push(await bench.enqueuePayment.topup());
    expect(await bench.judge(...topups)).toEqual([topups.at(-1)?.id]);
    expect(await heldBy(topups.at(-1) ?? topups[0] ?? (await bench.enqueuePayment.topup()))).toEqual(["default-member-day"]);

    const above = { amountBase: 100_000_000_001n, tokenDecimals: 6, currency: "USDT", recipient: SAFE, tokenAddress: null };
    const payment = {
      ...above,
      purpose: "return" as const,
      ownerId: newId("withdrawal", new Date()),
      partnerId: null,
      chain: TEST_CHAIN.chain,
    };
    const stray = await plantTransfer(bench.db, { ...payment, now: new Date() });
    if (stray === null) throw new Error("it is not stored");
    expect(await bench.judge(stray)).toEqual([stray.id]);
    expect(await heldBy(stray)).toEqual(["default-day", "default-destination-day", "default-hour", "default-wallet-hour"]);
  });
});
