import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { listProviderEvents } from "#db/queries/fiat/provider-statement.ts";
import { FIRST_PROVIDER, providerScope } from "#domain/fiat.ts";
import { withdrawalStatus } from "#domain/withdrawal.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { listAmbiguousOrders } from "#server/services/fiat/read-orders.ts";
import { type AmbiguousResolution, resolveAmbiguous } from "#server/services/fiat/resolve-ambiguous.ts";
import { isHalted, listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { readVitals } from "#server/services/maintenance/read-vitals.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { Died } from "#testing/death.ts";
import { setClockOffset } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
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
const PENDING = { status: "pending", reference: "R-1", instructions: null } as const;
const admin = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null };
const run = (table: "withdrawals" | "topups" = "withdrawals") => runOrdersOnce(bench.newEngine(), table);
const asked = () => bench.provider.asked.map(({ what }) => what);
const pool = async () => (await listPools(bench.db))[0];
const effects = async (id: string) => (await listProviderEvents(bench.db, id)).map(({ source, effect }) => `${source} ${effect}`);
const resolve = (orderId: string, resolution: AmbiguousResolution, kind: "withdrawal" | "topup" = "withdrawal") =>
  resolveAmbiguous({ ...bench.ctx, mode: "sandbox" }, { by: admin, reason: "The provider's statement.", kind, orderId, resolution });
const report = (orderId: string, status: "succeeded" | "failed", reference = "R-1") =>
  takeProviderEvent(bench.ctx, {
    provider: FIRST_PROVIDER,
    kind: "withdrawal",
    orderId,
    word: { status, reference, reason: null },
    body: "{}",
  });

/** A withdrawal whose sweep is final: the provider is to pay it out. */
async function swept(): Promise<string> {
  const { id } = await bench.withdraw();
  await run();
  await bench.endTransfer("sweep", id, { txHash: "0xaa" });
  return id;
}

/** The provider took it, and an hour later does not know it. */
async function forgotten(): Promise<string> {
  const id = await swept();
  await run();
  bench.provider.answers(null, PENDING);
  await setClockOffset(bench.db, HOUR + 1_000);
  await run();
  return id;
}

describe("an order that the provider took and then does not know", () => {
  it("is never given to it again: it is an operator's case, in sight, and the partner sees it processing", async () => {
    const id = await forgotten();
    for (const hours of [2, 3, 30]) {
      await setClockOffset(bench.db, hours * HOUR);
      await run();
    }
    expect(asked()).toEqual(["payOut", "lookUp"]);
    expect(withdrawalStatus(await bench.withdrawal(id))).toBe("processing");
    expect(await pool()).toMatchObject({ totalMinor: 1_000_000n, reservedMinor: 100_000n });
    expect(await listAmbiguousOrders(bench.ctx)).toEqual([
      expect.objectContaining({ id, kind: "withdrawal", amountMinor: 100_000n, reason: expect.stringContaining("does not know it") }),
    ]);
    expect((await readVitals(bench.ctx)).ambiguousOrders).toBe(1);
    const [entry] = await bench.sql`select action, actor_type from audit_entries where object_id = ${id} order by id desc limit 1`;
    expect(entry).toEqual({ action: "withdrawal.ambiguous", actor_type: "system" });
    expect(bench.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("completes when an operator found out that it was paid, with reason and audit entry, once", async () => {
    const id = await forgotten();
    const twice = await Promise.allSettled([
      resolve(id, { outcome: "moved", reference: "BANK-7" }),
      resolve(id, { outcome: "moved", reference: "BANK-7" }),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await bench.withdrawal(id)).toMatchObject({ step: "paid", providerReference: "BANK-7" });
    expect((await listCallbacksOf(bench.db, [id])).map(({ event }) => event)).toEqual(["withdrawal.completed"]);
    expect(await pool()).toMatchObject({ totalMinor: 900_000n, reservedMinor: 0n });
    expect(await effects(id)).toEqual(["operator applied"]);
    const rows =
      await bench.sql`select action, actor_id, reason from audit_entries where object_id = ${id} and actor_type = 'operator_key'`;
    expect(rows).toEqual([{ action: "withdrawal.resolved_moved", actor_id: admin.actor.apiKeyId, reason: "The provider's statement." }]);
    expect(await listAmbiguousOrders(bench.ctx)).toEqual([]);
    await run();
    expect(asked()).toEqual(["payOut", "lookUp"]);
  });

  it("gives the crypto back when an operator found out that it was not paid", async () => {
    const id = await forgotten();
    await resolve(id, { outcome: "not_moved" });
    expect((await bench.withdrawal(id)).step).toBe("returning");
    await bench.endTransfer("return", id, { txHash: "0xbb" });
    expect((await bench.withdrawal(id)).step).toBe("returned");
    await expect(resolve(id, { outcome: "moved", reference: "BANK-7" })).rejects.toMatchObject({ code: "invalid_state" });
  });

  it("is asked about again on an operator's word, and never given", async () => {
    const id = await forgotten();
    bench.provider.answers({ status: "succeeded", reference: "R-1", reason: null, instructions: null });
    await resolve(id, { outcome: "ask_again" });
    await run();
    expect(asked()).toEqual(["payOut", "lookUp", "lookUp"]);
    expect((await bench.withdrawal(id)).step).toBe("paid");
  });

  it("ends by the provider's own final word as well, whenever that comes", async () => {
    const id = await forgotten();
    await report(id, "succeeded");
    expect((await bench.withdrawal(id)).step).toBe("paid");
    expect(await listAmbiguousOrders(bench.ctx)).toEqual([]);
  });

  it("is decided by nobody but an operator who administers, and only while it is unclear", async () => {
    const id = await swept();
    await expect(resolve(id, { outcome: "not_moved" })).rejects.toMatchObject({ code: "invalid_state" });
    await expect(resolve("wd_00000000000000000000000000", { outcome: "not_moved" })).rejects.toMatchObject({ code: "not_found" });
    const staff = { actor: { type: "user", userId: "u", role: "staff", partnerId: null } as const, requestId: null };
    const order = { by: staff, reason: "because of a test", kind: "withdrawal" as const, orderId: id };
    await expect(
      resolveAmbiguous({ ...bench.ctx, mode: "sandbox" }, { ...order, resolution: { outcome: "not_moved" } }),
    ).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("that is a top-up collects from nobody twice, and sends once the operator found the money", async () => {
    const { id } = await bench.topUp();
    await run("topups");
    bench.provider.answers(null, PENDING);
    await setClockOffset(bench.db, HOUR + 1_000);
    await run("topups");
    await setClockOffset(bench.db, 9 * HOUR);
    await run("topups");
    expect(asked()).toEqual(["collect", "lookUp"]);
    await resolve(id, { outcome: "moved", reference: "BANK-8" }, "topup");
    expect(await bench.topup(id)).toMatchObject({ step: "sending", providerReference: "BANK-8" });
    expect(await bench.transferOf("topup", id)).toMatchObject({ state: "queued" });
  });
});

describe("a refusal while an earlier try is unanswered", () => {
  it("is no refusal: it is asked about for an hour and then an operator's case, and no crypto goes back", async () => {
    const id = await swept();
    bench.provider.answers(
      new Unreachable("timed out"),
      new Rejected("Duplicate"),
      null,
      new Rejected("Duplicate"),
      null,
      new Rejected("Duplicate"),
      null,
    );
    for (const seconds of [0, 5, 15, 3_700]) {
      await setClockOffset(bench.db, seconds * 1_000);
      await run();
      expect((await bench.withdrawal(id)).step).toBe("paying_out");
    }
    expect(await bench.transferOf("return", id)).toBeNull();
    expect(await listAmbiguousOrders(bench.ctx)).toEqual([expect.objectContaining({ id, reason: expect.stringContaining("earlier try") })]);
    await report(id, "succeeded");
    expect((await bench.withdrawal(id)).step).toBe("paid");
    expect(await effects(id)).toEqual(["callback applied"]);
  });

  it("is none either where the worker died after it had given the order", async () => {
    const id = await swept();
    const doomed = bench.newEngine({
      observe: (step) => {
        if (step === "answered") throw new Died("died with the answer in hand");
      },
    });
    await expect(runOrdersOnce(doomed, "withdrawals")).rejects.toBeInstanceOf(Died);
    await bench.letLeasesLapse();
    bench.provider.answers(new Rejected("Duplicate"), null);
    await run();
    expect(asked()).toEqual(["payOut", "payOut", "lookUp"]);
    expect((await bench.withdrawal(id)).step).toBe("paying_out");
  });

  it("is one where the earlier try was itself refused, and only the question after it went unanswered", async () => {
    const id = await swept();
    bench.provider.answers(new Rejected("Account closed"), new Unreachable("timed out"), new Rejected("Account closed"), null);
    await run();
    expect((await bench.withdrawal(id)).step).toBe("paying_out");
    await setClockOffset(bench.db, 5_000);
    await run();
    expect(await bench.withdrawal(id)).toMatchObject({ step: "returning", failureReason: "Account closed." });
  });
});

describe("a contradiction", () => {
  it("halts the provider at once: nothing is taken and nothing is given any more, and what was given is asked about", async () => {
    const [contradicted, given, later] = [await swept(), await swept(), await swept()];
    const { id: reserved } = await bench.withdraw();
    await bench.sql`update withdrawals set due_at = now() + interval '1 day' where id in (${later}, ${reserved})`;
    await run();
    await report(contradicted, "failed");
    await report(contradicted, "succeeded");
    expect(await listOpenHalts(bench.ctx)).toMatchObject([
      { scope: providerScope(FIRST_PROVIDER), cause: "provider_contradiction", evidence: { order_id: contradicted, status: "succeeded" } },
    ]);
    await bench.sql`update withdrawals set due_at = now() where id in (${later}, ${reserved})`;
    await setClockOffset(bench.db, HOUR + 1_000);
    bench.provider.answers({ status: "succeeded", reference: "R-1", reason: null, instructions: null });
    await run();
    expect(bench.provider.asked.filter(({ id }) => id === later)).toEqual([]);
    expect((await bench.withdrawal(reserved)).step).toBe("reserved");
    expect((await bench.withdrawal(given)).step).toBe("paid");
    await bench.sql`update lane_halts set lifted_at = now(), lifted_by = 'op', lift_reason = 'looked into' where lifted_at is null`;
    await setClockOffset(bench.db, HOUR + 120_000);
    await run();
    expect((await bench.withdrawal(later)).step).toBe("paid");
    expect((await bench.withdrawal(reserved)).step).toBe("sweeping");
  });

  it("of the sandbox's provider, which contradicts itself on request, halts nobody", async () => {
    const id = await swept();
    await run();
    const sandbox = { ...bench.ctx, mode: "sandbox" as const };
    for (const status of ["succeeded", "failed"] as const)
      await takeProviderEvent(sandbox, {
        provider: FIRST_PROVIDER,
        kind: "withdrawal",
        orderId: id,
        word: { status, reference: "R-1", reason: null },
        body: "{}",
      });
    expect(await effects(id)).toEqual(["callback applied", "callback contradicted"]);
    expect(await isHalted(bench.db, [providerScope(FIRST_PROVIDER)])).toBe(false);
  });
});
