import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listHoldsOf, listVerdictsOf } from "#db/queries/holds/payment-holds.ts";
import type { By } from "#domain/access.ts";
import type { Finding } from "#domain/payment-check.ts";
import type { Transfer } from "#domain/transfer.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listWaits } from "#server/services/settlements/list-waits.ts";
import { cancelTransfer } from "#server/services/treasury/cancel-transfer.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPerson, longProven, refusalOf } from "#testing/people.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import type { SigningCheck } from "./check-kinds.ts";
import { refusePayment, releasePayment } from "./decide-hold.ts";
import { judgeBeforeSigning } from "./judge-before-signing.ts";
import { keepVerdicts } from "./keep-verdicts.ts";

let chain: TestChain;
let bench: TransferBench;
let by: By;
const REASON = "Looked into, with the partner on the telephone.";
const finding: Finding = {
  key: "rule-1",
  version: "3",
  outcome: "hold",
  dryRun: false,
  words: "The day's limit is reached.",
  facts: { limit: "5" },
};

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  bench = await openTransferBench(chain);
  ({ by } = await addPerson(bench.db, "admin"));
});
afterAll(async () => {
  await bench.close();
  await chain.stop();
});

/** A settlement's payment that is held at its confirmation. */
async function hold(findings: readonly Finding[] = [finding]): Promise<Transfer> {
  const owed = await bench.enqueuePayment();
  const held = await bench.db.transaction((tx) =>
    keepVerdicts(tx, [{ ...owed, verdicts: [{ check: "limit", stage: "confirm", findings }], holds: [] }], new Date()),
  );
  expect([...held]).toEqual([owed.ownerId]);
  return owed;
}
const about = ({ purpose, ownerId }: Transfer) => ({ purpose, ownerId, by, reason: REASON });
const stateOf = async ({ id }: Transfer) => (await bench.transfer(id)).state;
const pass = async () => {
  await runTransfersOnce(bench.newWorker(), chain.chain);
  await bench.letLeasesLapse();
};
const outcomes = async ({ ownerId }: Transfer) => (await listHoldsOf(bench.db, [ownerId])).map(({ outcome }) => outcome);

describe("a payment that is held", () => {
  it("waits for people, however often workers pass, while others are paid; its partner sees `hold`", async () => {
    const held = await hold();
    const other = await bench.enqueuePayment();
    for (let time = 0; time < 3; time += 1) await pass();
    expect([await stateOf(held), await stateOf(other)]).toEqual(["queued", "broadcast"]);
    const waits = await listWaits(bench.ctx, [{ id: held.ownerId, status: "processing" } as never]);
    expect(waits.get(held.ownerId)).toMatchObject({ kind: "hold", since: expect.any(Date) });
    const [verdict] = await listVerdictsOf(bench.db, held.ownerId);
    expect(verdict).toMatchObject({ check: "limit", stage: "confirm", outcome: "hold", findings: [finding] });
  });

  it("goes on once it is released, with who did it and why", async () => {
    const held = await hold();
    await releasePayment(bench.ctx, about(held));
    await pass();
    expect(await stateOf(held)).toBe("broadcast");
    const [kept] = await listHoldsOf(bench.db, [held.ownerId]);
    expect(kept).toMatchObject({ outcome: "released", keys: ["rule-1"], decision: { reason: REASON, by: { type: "user" } } });
    const entries = await bench.sql`select action, partner_id, reason from audit_entries where object_id = ${held.ownerId} order by id`;
    expect(entries).toMatchObject([
      { action: "payment.held", partner_id: null, reason: finding.words },
      { action: "payment.released", partner_id: null, reason: REASON },
    ]);
    const notices =
      await bench.sql`select kind, detail, role from notifications n join users u on u.id = n.user_id where subject_id = ${held.ownerId}`;
    expect(notices.length).toBeGreaterThan(0);
    for (const notice of notices) expect(notice).toEqual({ kind: "hold_released", detail: "A held payment was released", role: "admin" });
  });

  it("fails once it is refused, with nothing signed, and its owner learns of the end", async () => {
    const held = await hold();
    const changes: Transfer[] = [];
    await refusePayment(bench.ctx, { ...about(held), onFinal: async (_tx, ended) => void changes.push(...ended) });
    await pass();
    expect(await bench.transfer(held.id)).toMatchObject({ state: "failed", failureReason: REASON, waitingReason: null });
    expect(changes.map(({ id }) => id)).toEqual([held.id]);
    expect(await outcomes(held)).toEqual(["refused"]);
  });

  it("is decided on by an administrator who has proven it, once, however many try", async () => {
    const held = await hold();
    const { by: approver } = await addPerson(bench.db, "approver");
    expect(await refusalOf(releasePayment(bench.ctx, { ...about(held), by: approver }))).toBe("forbidden");
    expect(await refusalOf(releasePayment(bench.ctx, { ...about(held), by: { ...by, proof: longProven() } }))).toBe("step_up_required");
    const tries = [releasePayment(bench.ctx, about(held)), refusePayment(bench.ctx, { ...about(held), onFinal: async () => {} })];
    const settled = await Promise.all([...tries, releasePayment(bench.ctx, about(held))].map(refusalOf));
    expect(settled.filter((code) => code === null)).toHaveLength(1);
    expect(settled.filter((code) => code === "invalid_state")).toHaveLength(2);
    expect(await refusalOf(releasePayment(bench.ctx, { ...about(held), ownerId: "tx_nothing" }))).toBe("not_found");
  });

  it("can be cancelled all the same, which ends what held it", async () => {
    const held = await hold();
    await cancelTransfer(bench.ctx, { by, reason: REASON, transferId: held.id, onFinal: async () => {} });
    expect([await stateOf(held), await outcomes(held)]).toEqual(["failed", ["ended"]]);
  });

  it("is history that nobody rewrites", async () => {
    const held = await hold();
    const only = bench.sql`owner_id = ${held.ownerId}`;
    await expect(bench.sql`update payment_verdicts set outcome = 'pass' where ${only}`).rejects.toThrow("append only");
    await expect(bench.sql`update payment_holds set reason = 'none' where ${only}`).rejects.toThrow("decided once");
    await expect(bench.sql`delete from payment_holds where ${only}`).rejects.toThrow("decided once");
    await releasePayment(bench.ctx, about(held));
    await expect(bench.sql`update payment_holds set outcome = 'open', decided_at = null where ${only}`).rejects.toThrow("decided once");
  });
});

describe("what is judged", () => {
  const judge = (transfers: readonly Transfer[], check: SigningCheck) =>
    bench.db.transaction((tx) => judgeBeforeSigning(tx, transfers, { walletId: "w", now: new Date() }, [check]));
  const always = (keys: readonly string[]): SigningCheck => ({
    check: "limit",
    purposes: new Set(["settlement"]),
    judge: async (_tx, payments) => new Map(payments.map(({ transfer }) => [transfer.id, keys.map((key) => ({ ...finding, key }))])),
  });

  it("only records where it is a dry run", async () => {
    const owed = await bench.enqueuePayment();
    const verdicts = [{ check: "limit" as const, stage: "confirm" as const, findings: [{ ...finding, dryRun: true }] }];
    expect(await bench.db.transaction((tx) => keepVerdicts(tx, [{ ...owed, verdicts, holds: [] }], new Date()))).toEqual(new Set());
    expect((await listVerdictsOf(bench.db, owed.ownerId)).map(({ outcome }) => outcome)).toEqual(["pass"]);
    await pass();
    expect(await stateOf(owed)).toBe("broadcast");
  });

  it("before signing holds what was let pass before, not again for what people have released it from, and again for something else", async () => {
    const owed = await bench.enqueuePayment();
    expect(await judge([owed], always(["rule-1"]))).toEqual(new Set([owed.id]));
    await pass();
    expect(await stateOf(owed)).toBe("queued");
    // It is held: no source is asked about it again.
    expect(await judge([owed], always(["rule-2"]))).toEqual(new Set([owed.id]));
    expect(await outcomes(owed)).toEqual(["open"]);
    await releasePayment(bench.ctx, about(owed));
    expect(await judge([owed], always(["rule-1"]))).toEqual(new Set());
    expect(await judge([owed], always(["rule-1", "rule-2"]))).toEqual(new Set([owed.id]));
    expect((await listHoldsOf(bench.db, [owed.ownerId])).map(({ keys, outcome }) => [keys, outcome])).toEqual([
      [["rule-1"], "released"],
      [["rule-2"], "open"],
    ]);
  });

  it("keeps nothing of what is queued behind a held one: that is judged when it is its turn", async () => {
    const [first, second, third] = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
    const check: SigningCheck = {
      check: "limit",
      purposes: new Set(["settlement"]),
      judge: async (_tx, payments) =>
        new Map(payments.map(({ transfer }) => [transfer.id, [transfer.id === second.id ? finding : { ...finding, outcome: "pass" }]])),
    };
    expect(await judge([first, second, third], check)).toEqual(new Set([second.id]));
    const kept = async ({ ownerId }: Transfer) => (await listVerdictsOf(bench.db, ownerId)).map(({ outcome }) => outcome);
    expect([await kept(first), await kept(second), await kept(third)]).toEqual([["pass"], ["hold"], []]);
  });
});
