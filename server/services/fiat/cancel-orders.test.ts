import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { renderTopup, renderWithdrawal } from "#contract/partner/fiat-answers.ts";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { claimQueuedTransfers } from "#db/queries/transfers/transfers.ts";
import { DAY_SECONDS } from "#domain/exposure-limit.ts";
import { FIRST_PROVIDER, providerScope } from "#domain/fiat.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { FIAT_STEPS } from "#server/engines/fiat-orders/engine.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";
import { endWaits } from "#server/services/holds/end-waits.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { addPartner, TEST_CHAIN } from "#testing/factories.ts";
import { SAFE } from "#testing/fiat.ts";
import { type LimitedBench, openLimitedBench } from "#testing/limited-payments.ts";
import { cancelTopup, cancelWithdrawal, mayCancelTopup, mayCancelWithdrawal } from "./cancel-orders.ts";
import { readTopupStory, readWithdrawalStory } from "./order-stories.ts";

let bench: LimitedBench;
beforeAll(async () => {
  bench = await openLimitedBench();
});
afterEach(async () => {
  bench.provider.answers();
  await bench.sql`update lane_halts set lifted_at = since, lifted_by = 'a', lift_reason = 'For the test.' where lifted_at is null`;
});
afterAll(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  await bench.close();
});

const REASON = "The partner cancelled it.";
const ROUNDS = 20;
const OF = { withdrawals: cancelWithdrawal, topups: cancelTopup } as const;
type Orders = { withdrawals: Withdrawal; topups: Topup };
const cancel = async <Table extends keyof Orders>(table: Table, id: string, ctx = bench.ctx): Promise<Orders[Table]> =>
  (await OF[table](ctx, { ...bench.partner, id })) as Orders[Table];
const run = (table: keyof typeof OF) => runOrdersOnce(bench.newEngine(), table);
const reserved = async () => (await listPools(bench.db))[0]?.reservedMinor ?? -1n;
const given = (id: string) => bench.provider.asked.filter((one) => one.id === id && one.what !== "lookUp").length;
const callbacks = async (id: string) => (await listCallbacksOf(bench.db, [id])).map(({ event, body }) => [event, body]);
const events = async (id: string) =>
  (await bench.sql<{ type: string }[]>`select type from events where object_id = ${id} order by version`).map(({ type }) => type);
const ledger = async (id: string) =>
  (await bench.sql<{ step: string }[]>`select step from ledger_entries where cause_id = ${id} order by id`).map(({ step }) => step);
/** The refusal's code, or what it became. */
const outcome = (table: keyof typeof OF, id: string) =>
  cancel(table, id).then(
    () => "cancelled",
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      return error.code;
    },
  );
const stopProvider = () =>
  bench.db.transaction((tx) =>
    haltScope(tx, { scope: providerScope(FIRST_PROVIDER), cause: "operator", detail: "For the test.", evidence: {} }),
  );
/** A withdrawal whose sweep is owed, and which no worker has in hand. */
const owed = async () => await bench.enqueuePayment.withdrawal();

describe("the button that cancels", () => {
  const offered = async (id: string) => {
    const { withdrawal, sweep } = await readWithdrawalStory(bench.ctx, { id });
    return mayCancelWithdrawal(withdrawal, sweep?.transfer ?? null);
  };
  const offeredTopup = async (id: string) => {
    const { topup, acceptedAt } = await readTopupStory(bench.ctx, { id });
    return mayCancelTopup(topup, acceptedAt);
  };

  it("is there for a withdrawal until it is cancelled or its sweep is signed", async () => {
    const [waiting, signed] = [(await owed()).ownerId, (await owed()).ownerId];
    const { id: fresh } = await bench.withdraw();
    expect(await Promise.all([fresh, waiting, signed].map(offered))).toEqual([true, true, true]);
    await cancel("withdrawals", fresh);
    await bench.sql`update transfers set state = 'signed' where owner_id = ${signed}`;
    expect(await Promise.all([fresh, waiting, signed].map(offered))).toEqual([false, true, false]);
    await bench.sql`update transfers set state = 'queued' where owner_id = ${signed}`;
    for (const id of [waiting, signed]) await cancel("withdrawals", id);
  });

  it("is there for a top-up until the provider has taken it", async () => {
    const [one, other] = [await bench.topUp(), await bench.topUp()];
    expect(await offeredTopup(one.id)).toBe(true);
    await cancel("topups", one.id);
    expect(await offeredTopup(one.id)).toBe(false);
    await run("topups");
    expect(await offeredTopup(other.id)).toBe(false);
  });
});

describe("a withdrawal whose crypto is in its Safe", () => {
  it("is cancelled once: the pool is free, the promise is void, callback and event say so, and no worker touches it again", async () => {
    const before = await reserved();
    const { id } = await bench.withdraw();
    const cancelled = await cancel("withdrawals", id);
    expect(cancelled).toMatchObject({ step: "released", failureReason: REASON, cancelledAt: expect.any(Date), txHash: null });
    expect(await reserved()).toBe(before);
    expect(await ledger(id)).toEqual(["reserved", "released"]);
    expect(await callbacks(id)).toEqual([
      ["withdrawal.cancelled", JSON.stringify({ event: "withdrawal.cancelled", ...renderWithdrawal(cancelled) })],
    ]);
    expect(renderWithdrawal(cancelled)).toMatchObject({ status: "failed", cancelled_at: cancelled.cancelledAt?.toISOString() });
    expect(await events(id)).toEqual(["withdrawal.created", "withdrawal.cancelled"]);
    const [entry] =
      await bench.sql`select action, actor_type, partner_id, reason from audit_entries where object_id = ${id} order by id desc limit 1`;
    expect(entry).toEqual({
      action: "withdrawal.cancelled",
      actor_type: bench.partner.by.actor.type,
      partner_id: bench.partner.partnerId,
      reason: REASON,
    });
    expect(await cancel("withdrawals", id)).toEqual(cancelled);
    await run("withdrawals");
    expect([await bench.withdrawal(id), await ledger(id), (await callbacks(id)).length, given(id)]).toEqual([
      cancelled,
      ["reserved", "released"],
      1,
      0,
    ]);
    expect(await bench.sql`select 1 from transfers where owner_id = ${id}`).toHaveLength(0);
  });

  it("and waits for a new payee, is cancelled with its sweep and its hold, and no wait ends for it", async () => {
    await bench.limit({ kind: "new_destination", waitSeconds: DAY_SECONDS, purpose: "withdrawal" });
    const sweep = await bench.enqueuePayment.withdrawal({ account: `+2547${String(Date.now()).slice(-8)}` });
    const id = sweep.ownerId;
    expect(await bench.judge(sweep)).toEqual([sweep.id]);
    await bench.noLimits();
    const before = await reserved();
    expect(await cancel("withdrawals", id)).toMatchObject({ step: "released", failureReason: REASON });
    expect(await reserved()).toBe(before - 100_000n);
    expect(await bench.transferOf("sweep", id)).toMatchObject({ state: "failed", failureReason: REASON, waitingReason: null });
    expect((await listHoldsOf(bench.db, [id])).map((hold) => hold.outcome)).toEqual(["ended"]);
    expect(await endWaits(bench.ctx)).toBe(0);
    expect((await events(id)).at(-1)).toBe("withdrawal.cancelled");
    expect((await callbacks(id)).map(([event]) => event)).toEqual(["withdrawal.cancelled"]);
  });

  it("is not cancelled while a worker has its sweep, once a transaction was made, nor at any later step: nothing changes", async () => {
    const sweep = await owed();
    const { ownerId: id } = sweep;
    const unchanged = async () => {
      const before = [await bench.withdrawal(id), await bench.transferOf("sweep", id), await events(id), await ledger(id)];
      expect(await outcome("withdrawals", id)).toBe("invalid_state");
      expect([await bench.withdrawal(id), await bench.transferOf("sweep", id), await events(id), await ledger(id)]).toEqual(before);
    };
    await bench.sql`update transfers set lease_token = ${randomUUID()}, lease_until = now() + interval '1 minute' where id = ${sweep.id}`;
    await unchanged();
    await bench.sql`update transfers set lease_token = null, lease_until = null, state = 'signed' where id = ${sweep.id}`;
    await unchanged();
    await bench.endTransfer("sweep", id, { txHash: "0xaa" });
    await unchanged();
    await bench.hear("withdrawal", id, "succeeded");
    await unchanged();
    await expect(cancel("withdrawals", id)).rejects.toMatchObject({ particulars: { members: { order_status: "completed" } } });
  });
});

describe("a top-up that the provider was not asked to collect", () => {
  it("is cancelled once; nobody is asked to pay, and what the provider says of it afterwards is a contradiction", async () => {
    await stopProvider();
    const { id } = await bench.topUp();
    await run("topups");
    const cancelled = await cancel("topups", id);
    expect(cancelled).toMatchObject({ step: "uncollected", failureReason: REASON, cancelledAt: expect.any(Date), expiredAt: null });
    expect(await callbacks(id)).toEqual([["topup.cancelled", JSON.stringify({ event: "topup.cancelled", ...renderTopup(cancelled) })]]);
    expect([await events(id), await ledger(id)]).toEqual([["topup.created", "topup.cancelled"], []]);
    expect(await cancel("topups", id)).toEqual(cancelled);
    await bench.sql`update lane_halts set lifted_at = since, lifted_by = 'a', lift_reason = 'For the test.' where lifted_at is null`;
    await run("topups");
    expect([await bench.topup(id), given(id), (await callbacks(id)).length]).toEqual([cancelled, 0, 1]);
    await bench.hear("topup", id, "succeeded");
    expect([await bench.topup(id), await isHalted(bench.db, [providerScope(FIRST_PROVIDER)])]).toEqual([cancelled, true]);
  });

  it("is not cancelled once the provider may have it, nor when it has ended", async () => {
    const { id } = await bench.topUp();
    await run("topups");
    expect([given(id), await outcome("topups", id)]).toEqual([1, "invalid_state"]);
    expect((await bench.topup(id)).step).toBe("collecting");
    await bench.hear("topup", id, "failed");
    expect(await outcome("topups", id)).toBe("invalid_state");
    expect(await events(id)).toEqual(["topup.created", "topup.failed"]);
  });
});

describe("a cancellation", () => {
  it("of another partner's order, or of one that never existed, is not found", async () => {
    const other = await addPartner(bench.db, { walletAddress: SAFE });
    const ids = { withdrawals: (await bench.withdraw()).id, topups: (await bench.topUp()).id };
    for (const table of ["withdrawals", "topups"] as const)
      for (const [who, id] of [
        [other, ids[table]],
        [bench.partner, "wd_x"],
        [bench.partner, table === "topups" ? ids.withdrawals : ids.topups],
      ] as const)
        await expect(OF[table](bench.ctx, { ...who, id }), `${table} ${id}`).rejects.toMatchObject({ code: "not_found" });
    expect([(await bench.withdrawal(ids.withdrawals)).step, (await bench.topup(ids.topups)).step]).toEqual(["reserved", "collecting"]);
  });

  it.each(["withdrawals", "topups"] as const)(
    "of %s at the moment of the worker's pass either cancels, and nothing moves, or is refused",
    async (table) => {
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = table === "topups" ? await bench.topUp() : await bench.withdraw();
        // Each second time, the worker has a head start.
        const late = round % 2 === 0 ? 0 : round;
        const [ended] = await Promise.all([new Promise((go) => setTimeout(go, late)).then(() => outcome(table, id)), run(table)]);
        seen.add(ended);
        const order = table === "topups" ? await bench.topup(id) : await bench.withdrawal(id);
        const moved = table === "topups" ? given(id) : await owedSweeps(id);
        expect([ended, order.cancelledAt !== null, moved], `round ${round}`).toEqual(
          ended === "cancelled" ? ["cancelled", true, 0] : ["invalid_state", false, 1],
        );
      }
      expect(seen.size, [...seen].join()).toBeGreaterThan(0);
    },
  );

  it("of an owed sweep, while a worker claims it, leaves it to one of the two", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { ownerId: id, id: sweep } = await owed();
      const token = randomUUID();
      const wallets = { held: [], known: [] };
      const claim = { chain: TEST_CHAIN.chain, token, limit: 100, seconds: 30, wallets };
      const [ended, claimed] = await Promise.all([outcome("withdrawals", id), claimQueuedTransfers(bench.database.worker, claim)]);
      const isClaimed = claimed.some((one) => one.id === sweep);
      expect([ended, isClaimed], `round ${round}`).toEqual(ended === "cancelled" ? ["cancelled", false] : ["invalid_state", true]);
      await bench.sql`update transfers set lease_token = null, lease_until = null where state = 'queued'`;
      if (isClaimed) expect(await outcome("withdrawals", id)).toBe("cancelled");
    }
  });

  it("whose process dies before the commit has done nothing, and a repeat does all of it", async () => {
    const sweep = await owed();
    const before = [await bench.withdrawal(sweep.ownerId), sweep, await reserved()];
    const dying = bench.db.transaction(async (tx) => {
      await cancel("withdrawals", sweep.ownerId, { ...bench.ctx, db: tx });
      throw new Error("died");
    });
    await expect(dying).rejects.toThrow("died");
    expect([await bench.withdrawal(sweep.ownerId), await bench.transferOf("sweep", sweep.ownerId), await reserved()]).toEqual(before);
    expect(await outcome("withdrawals", sweep.ownerId)).toBe("cancelled");
  });

  it.each(FIAT_STEPS)("after a worker died at `%s` cancels only what that worker cannot have moved", async (step) => {
    const made = { withdrawals: (await bench.withdraw()).id, topups: (await bench.topUp()).id };
    const dead = bench.newEngine({
      observe: (reached) => {
        if (reached === step) throw new Error("died");
      },
    });
    for (const table of ["withdrawals", "topups"] as const) await runOrdersOnce(dead, table).catch(() => {});
    const isGiven = given(made.topups) > 0 || ["giving_noted", "answered", "written"].includes(step);
    expect(await outcome("topups", made.topups)).toBe(isGiven ? "invalid_state" : "cancelled");
    expect(await outcome("withdrawals", made.withdrawals)).toBe("cancelled");
    await bench.letLeasesLapse();
    const asked = given(made.topups);
    for (const table of ["withdrawals", "topups"] as const) await run(table);
    expect([(await bench.withdrawal(made.withdrawals)).step, given(made.withdrawals)]).toEqual(["released", 0]);
    expect((await bench.transferOf("sweep", made.withdrawals).catch(() => null))?.state ?? "failed").toBe("failed");
    if (!isGiven) expect([(await bench.topup(made.topups)).step, given(made.topups)]).toEqual(["uncollected", asked]);
  });
});

async function owedSweeps(id: string): Promise<number> {
  return (await bench.sql`select 1 from transfers where owner_id = ${id} and state <> 'failed'`).length;
}
