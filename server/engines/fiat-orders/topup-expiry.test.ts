import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { findStatedOrders, listProviderEvents } from "#db/queries/fiat/provider-statement.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { FIRST_PROVIDER, providerScope } from "#domain/fiat.ts";
import { TOPUP_LIFETIME_MS } from "#domain/topup.ts";
import { Unreachable } from "#server/ports.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { listAmbiguousOrders } from "#server/services/fiat/read-orders.ts";
import { type AmbiguousResolution, resolveAmbiguous } from "#server/services/fiat/resolve-ambiguous.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";
import { readVitals } from "#server/services/maintenance/read-vitals.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { setClockOffset } from "#testing/factories.ts";
import { openFiatBench } from "#testing/fiat.ts";
import type { FiatStep } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

let bench: Awaited<ReturnType<typeof openFiatBench>>;
beforeEach(async () => {
  bench = await openFiatBench();
});
afterEach(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  await bench.close();
});

const MINUTE = 60_000;
const DAY = TOPUP_LIFETIME_MS;
const REASON = "Nobody paid before it expired.";
const admin = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null };
const PENDING = { status: "pending", reference: "R-1", instructions: null } as const;
const PAID = { status: "succeeded", reference: "R-1", reason: null, instructions: null } as const;
const run = () => runOrdersOnce(bench.newEngine(), "topups");
const asked = () => bench.provider.asked.map(({ what }) => what);
const at = (ms: number) => setClockOffset(bench.db, ms);
const pool = async () => (await listPools(bench.db))[0]?.totalMinor;
const effects = async (id: string) => (await listProviderEvents(bench.db, id)).map(({ source, effect }) => `${source} ${effect}`);
const events = async (id: string) => (await listCallbacksOf(bench.db, [id])).map(({ event }) => event);
const report = (orderId: string, reference = "R-1", status: "succeeded" | "failed" = "succeeded") =>
  takeProviderEvent(bench.ctx, { provider: FIRST_PROVIDER, kind: "topup", orderId, word: { status, reference, reason: null }, body: "{}" });
const resolve = (orderId: string, resolution: AmbiguousResolution) =>
  resolveAmbiguous(
    { ...bench.ctx, mode: "sandbox" },
    { by: admin, reason: "What the provider wrote.", kind: "topup", orderId, resolution },
  );

/** Asked for, and taken by the provider. */
async function open(): Promise<string> {
  bench.provider.answers(PENDING);
  const { id } = await bench.topUp();
  await run();
  return id;
}

async function expired(): Promise<string> {
  const id = await open();
  await at(DAY + 1_000);
  await run();
  expect((await bench.topup(id)).step).toBe("uncollected");
  return id;
}

async function paidLate(): Promise<string> {
  const id = await expired();
  await at(DAY + 3 * 60 * MINUTE);
  await report(id);
  return id;
}

describe("a top-up that nobody pays", () => {
  it("ends when its time is over, once the provider has said again that nothing came: then, and not an hour later", async () => {
    const id = await open();
    await at(DAY - 30 * MINUTE);
    await run();
    expect(asked()).toEqual(["collect", "lookUp"]);
    const [row] =
      await bench.sql`select due_at = expires_at as at_its_end, expires_at = created_at + interval '1 day' as after_a_day from topups`;
    expect(row).toEqual({ at_its_end: true, after_a_day: true });
    await at(DAY + 1_000);
    await run();
    expect(await bench.topup(id)).toMatchObject({
      step: "uncollected",
      failureReason: REASON,
      expiredAt: expect.any(Date),
      latePaidAt: null,
    });
    const [callback] = await listCallbacksOf(bench.db, [id]);
    const body = JSON.parse(callback?.body ?? "");
    expect(body).toMatchObject({ event: "topup.failed", status: "failed", failure_reason: REASON, paid_late_at: null });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(DAY);
    await at(3 * DAY);
    await run();
    expect(asked()).toEqual(["collect", "lookUp", "lookUp"]);
    expect(await bench.sql`select 1 from transfers`).toHaveLength(0);
  });

  it("is paid in time where the provider says so when it is asked for the last time", async () => {
    const id = await open();
    await at(DAY + 1_000);
    bench.provider.answers(PAID);
    await run();
    expect((await bench.topup(id)).step).toBe("sending");
    await bench.endTransfer("topup", id, { txHash: "0xaa" });
  });

  it("waits while the provider is silent: its silence ends nothing", async () => {
    const id = await open();
    await at(DAY + 1_000);
    bench.provider.answers(new Unreachable("away"));
    await run();
    expect((await bench.topup(id)).step).toBe("collecting");
    await at(DAY + 60 * MINUTE);
    bench.provider.answers(PENDING);
    await run();
    expect((await bench.topup(id)).step).toBe("uncollected");
  });

  it("and was never given to the provider, which was halted, ends without it", async () => {
    await bench.db.transaction((tx) =>
      haltScope(tx, { scope: providerScope(FIRST_PROVIDER), cause: "operator", detail: "For the test.", evidence: {} }),
    );
    const { id } = await bench.topUp();
    await run();
    await at(DAY + 1_000);
    await run();
    expect((await bench.topup(id)).step).toBe("uncollected");
    expect(asked()).toEqual([]);
  });

  it("and which the provider may have, is not given to it any more, only asked about, and ends where it is not there", async () => {
    bench.provider.answers(new Unreachable("away"));
    const { id } = await bench.topUp();
    await run();
    await at(DAY + 1_000);
    bench.provider.answers(null);
    await run();
    expect(asked()).toEqual(["collect", "lookUp"]);
    expect((await bench.topup(id)).step).toBe("uncollected");
  });

  it("ends a day after it was asked for where the version before has noted no end", async () => {
    const id = await open();
    await bench.sql`update topups set expires_at = null`;
    await at(DAY + 60 * MINUTE);
    await run();
    expect((await bench.topup(id)).failureReason).toBe(REASON);
  });

  for (const step of ["claimed", "order_read", "answered"] as const)
    it(`ends once, also where a worker dies at "${step}"`, async () => {
      const id = await open();
      await at(DAY + 1_000);
      const observe = (seen: FiatStep) => {
        if (seen === step) throw new Error("died");
      };
      await runOrdersOnce(bench.newEngine({ observe }), "topups").catch(() => {});
      await bench.letLeasesLapse();
      await at(DAY + 5 * MINUTE);
      await Promise.all([run(), run()]);
      expect((await bench.topup(id)).step).toBe("uncollected");
      expect(await events(id)).toEqual(["topup.failed"]);
    });
});

describe("a payment that is reported after that", () => {
  it("is neither credited nor dropped: an operator's case, in sight, audited, and no halt", async () => {
    const id = await paidLate();
    expect(await bench.topup(id)).toMatchObject({ step: "uncollected", latePaidAt: expect.any(Date), providerReference: "R-1" });
    expect([await bench.sql`select 1 from transfers`, await pool(), await events(id)]).toEqual([[], 1_000_000n, ["topup.failed"]]);
    expect(await effects(id)).toEqual(["callback late"]);
    expect(await listAmbiguousOrders(bench.ctx)).toEqual([
      expect.objectContaining({
        id,
        kind: "topup",
        amountMinor: 100_000n,
        reason: expect.stringContaining("paid after it had expired, under R-1"),
      }),
    ]);
    expect((await readVitals(bench.ctx)).ambiguousOrders).toBe(1);
    const [entry] =
      await bench.sql`select action, actor_type, partner_id from audit_entries where object_id = ${id} order by id desc limit 1`;
    expect(entry).toEqual({ action: "topup.paid_late", actor_type: "system", partner_id: bench.partner.partnerId });
    expect(bench.lines.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
      "a top-up was paid after it had expired: an operator must see to the money",
    ]);
    expect(await isHalted(bench.db, [providerScope(FIRST_PROVIDER)])).toBe(false);
    const [stated] = await findStatedOrders(bench.db, { provider: FIRST_PROVIDER, ids: [id], references: [] });
    expect([stated?.recorded, stated?.ambiguous]).toEqual(["succeeded", true]);
  });

  it("and is reported again is a repetition; under another reference money moved twice", async () => {
    const id = await paidLate();
    await report(id);
    expect(await isHalted(bench.db, [providerScope(FIRST_PROVIDER)])).toBe(false);
    await report(id, "R-2");
    expect(await effects(id)).toEqual(["callback late", "callback repeated", "callback contradicted"]);
    expect(await isHalted(bench.db, [providerScope(FIRST_PROVIDER)])).toBe(true);
  });

  it("counts as in time for a quarter of an hour where the worker has not ended it yet, and then as late, worker or no worker", async () => {
    const [soon, late] = [await open(), await open()];
    await at(DAY + 10 * MINUTE);
    await report(soon, "R-1");
    expect((await bench.topup(soon)).step).toBe("sending");
    await bench.endTransfer("topup", soon, { txHash: "0xaa" });
    await at(DAY + 20 * MINUTE);
    await report(late, "R-9");
    expect(await bench.topup(late)).toMatchObject({ step: "uncollected", latePaidAt: expect.any(Date), providerReference: "R-9" });
    expect([await events(late), await effects(late)]).toEqual([["topup.failed"], ["callback late"]]);
  });

  it("and the expiry, at one and the same moment, are one of the two stories and never both", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => open()));
    await at(DAY + 1_000);
    await Promise.all([run(), ...ids.map((id) => report(id)), run()]);
    for (const id of ids) {
      const { step, latePaidAt } = await bench.topup(id);
      expect([step, latePaidAt !== null]).toEqual(step === "sending" ? ["sending", false] : ["uncollected", true]);
      if (step === "sending") await bench.endTransfer("topup", id, { txHash: "0xaa" });
    }
    expect((await listAmbiguousOrders(bench.ctx)).length + (await bench.sql`select 1 from transfers`).length).toBe(8);
  });

  it.each([
    [{ outcome: "refunded", reference: "REF-1" }, "topup.late_payment_refunded", [0n, 0n]],
    [{ outcome: "settled" }, "topup.late_payment_settled", [1n, -1n]],
  ] as const)(
    "is settled by an operator who says %o, with a reason, once, and nothing is sent",
    async (resolution, action, [into, owed]) => {
      const id = await paidLate();
      const { amountMinor } = await bench.topup(id);
      const balances = async () => {
        const all = await listLedgerBalances(bench.db);
        return (["fiat_pool", "partner_receivable"] as const).map((name) => all.find(({ account }) => account === name)?.amount ?? 0n);
      };
      const [pool = 0n, account = 0n] = await balances();
      const twice = await Promise.allSettled([resolve(id, resolution), resolve(id, resolution)]);
      expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const rows =
        await bench.sql`select action, reason, change from audit_entries where object_id = ${id} and actor_type = 'operator_key'`;
      const change = { ...("reference" in resolution && { reference: "REF-1" }), asked_by: admin.actor.apiKeyId };
      expect(rows).toEqual([{ action, reason: "What the provider wrote.", change }]);
      expect(await listAmbiguousOrders(bench.ctx)).toEqual([]);
      expect(await balances()).toEqual([pool + into * amountMinor, account + owed * amountMinor]);
      expect((await bench.topup(id)).latePaidAt).not.toBeNull();
      await run();
      expect([await bench.sql`select 1 from transfers`, await events(id)]).toEqual([[], ["topup.failed"]]);
    },
  );

  it("is settled by none of the words for an unclear order, nor an unclear order by these", async () => {
    const id = await paidLate();
    for (const resolution of [{ outcome: "moved", reference: "R-1" }, { outcome: "not_moved" }, { outcome: "ask_again" }] as const)
      await expect(resolve(id, resolution)).rejects.toMatchObject({ code: "invalid_state" });
    const unclear = await open();
    bench.provider.answers(null, PENDING);
    await at(DAY + 5 * 60 * MINUTE);
    await run();
    expect((await listAmbiguousOrders(bench.ctx)).map((order) => order.id).toSorted()).toEqual([id, unclear].toSorted());
    for (const resolution of [{ outcome: "refunded", reference: "R-1" }, { outcome: "settled" }] as const)
      await expect(resolve(unclear, resolution)).rejects.toMatchObject({ code: "invalid_state" });
  });
});
