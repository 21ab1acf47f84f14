import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { readProviderStatement } from "#domain/provider-statement.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { readPools } from "#server/services/ledger/read-books.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { setClockOffset } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { takeProviderEvent } from "./apply-provider-update.ts";
import { listAmbiguousOrders } from "./read-orders.ts";
import { reconcileProvider, resolveAmbiguous } from "./resolve-ambiguous.ts";

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
const report = (orderId: string, status: "succeeded" | "failed", reference: string) =>
  takeProviderEvent(bench.ctx, {
    provider: FIRST_PROVIDER,
    kind: "withdrawal",
    orderId,
    word: { status, reference, reason: null },
    body: "{}",
  });
const day = () => ({ from: new Date(Date.now() - HOUR), to: new Date(Date.now() + 24 * HOUR) });
const statement = (lines: string[], period: ReturnType<typeof day> | null = null) =>
  reconcileProvider(bench.ctx, {
    provider: FIRST_PROVIDER,
    rows: readProviderStatement(["order_id,reference,status,amount,currency", ...lines].join("\n")),
    period,
  });

async function given(): Promise<string> {
  const { id } = await bench.withdraw();
  await run();
  await bench.endTransfer("sweep", id, { txHash: `0x${id.slice(-8)}` });
  await run();
  return id;
}
async function ended(status: "succeeded" | "failed", reference: string): Promise<string> {
  const id = await given();
  await report(id, status, reference);
  return id;
}

describe("a statement of the provider's", () => {
  it("that says what we hold matches, by our id or by its own reference, and halts nothing", async () => {
    const [paid, failed, open] = [await ended("succeeded", "R-1"), await ended("failed", "R-2"), await given()];
    const found = await statement([`,R-1,succeeded,1000.00,KES`, `${failed},,FAILED,1000,KES`, `${open},,pending,1000,KES`], day());
    expect(found.matched.map(({ order }) => order.id).sort()).toEqual([paid, failed].sort());
    expect(found.open.map(({ order }) => order.id)).toEqual([open]);
    expect(found).toMatchObject({ contradicting: [], missing: [], unknown: [], ambiguous: [], halted: false });
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
  });

  it("that names what the provider took books it once for each order, and never more than the pool has free", async () => {
    const [paid, dear] = [await ended("succeeded", "R-1"), await ended("succeeded", "R-2")];
    const read = (fee: string) =>
      reconcileProvider(bench.ctx, {
        provider: FIRST_PROVIDER,
        rows: readProviderStatement(
          `order_id,reference,status,amount,currency,fee\n${paid},R-1,succeeded,1000,KES,${fee}\n${dear},R-2,succeeded,1000,KES,99999999`,
        ),
        period: null,
      });
    const total = async () => (await readPools(bench.ctx))[0]?.totalMinor;
    const before = (await total()) ?? 0n;
    expect((await read("12.50")).costs).toEqual({ booked: 1, differing: [], unbooked: [dear] });
    expect((await read("12.50")).costs).toEqual({ booked: 0, differing: [], unbooked: [dear] });
    expect((await read("13")).costs).toEqual({ booked: 0, differing: [paid], unbooked: [dear] });
    expect(await total()).toBe(before - 1_250n);
    const costs = (await listLedgerBalances(bench.db)).find(({ account }) => account === "provider_costs");
    expect(costs?.amount).toBe(1_250n);
  });

  it("that contradicts halts the provider, names each order and why, and moves none of them", async () => {
    const [returned, twice, other] = [await ended("failed", "R-1"), await ended("succeeded", "R-2"), await ended("succeeded", "R-3")];
    const { id: never } = await bench.withdraw();
    const found = await statement([
      `${returned},R-1,succeeded,1000,KES`,
      `${twice},R-2,succeeded,1000,KES`,
      `${twice},R-9,succeeded,1000,KES`,
      `${other},R-3,succeeded,999,KES`,
      `${never},R-4,succeeded,1000,KES`,
    ]);
    expect(Object.fromEntries(found.contradicting.map(({ order, why }) => [order.id, why]))).toEqual({
      [returned]: "we hold it for failed, and the money moved",
      [twice]: "the money moved more than once",
      [other]: "another amount than was ordered",
      [never]: "it was never given this order",
    });
    expect(await listOpenHalts(bench.ctx)).toMatchObject([
      { cause: "provider_contradiction", evidence: { order_ids: expect.arrayContaining([never]) } },
    ]);
    expect((await bench.withdrawal(returned)).step).toBe("returning");
    expect((await bench.withdrawal(twice)).step).toBe("paid");
  });

  it("that leaves out what the provider said it had done is a contradiction too; a line about an unknown order is reported", async () => {
    const paid = await ended("succeeded", "R-1");
    const found = await statement(["wd_strange,R-7,succeeded,5,KES"], day());
    expect(found.missing.map(({ id }) => id)).toEqual([paid]);
    expect(found.unknown).toMatchObject([{ line: 2, orderId: "wd_strange" }]);
    expect(found.halted).toBe(true);
  });

  it("does not overrule the operator who lifted the halt with those orders in sight", async () => {
    const paid = await ended("succeeded", "R-1");
    const lines = [`${paid},R-2,succeeded,1000,KES`];
    expect((await statement(lines)).halted).toBe(true);
    await bench.sql`update lane_halts set lifted_at = now(), lifted_by = 'op', lift_reason = 'claimed back' where lifted_at is null`;
    expect(await statement(lines)).toMatchObject({ halted: false, contradicting: [{ why: "the money moved under R-2, and we know R-1" }] });
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
  });

  it("shows what an unclear order was, which only an operator settles", async () => {
    const id = await given();
    bench.provider.answers(null);
    await setClockOffset(bench.db, HOUR + 1_000);
    await run();
    const found = await statement([`${id},R-1,succeeded,1000,KES`]);
    expect(found.ambiguous.map(({ order }) => order.id)).toEqual([id]);
    expect(await listAmbiguousOrders(bench.ctx)).toHaveLength(1);
    const by = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null };
    const resolution = { outcome: "moved", reference: "R-1" } as const;
    await resolveAmbiguous(
      { ...bench.ctx, mode: "sandbox" },
      { by, reason: "By its statement.", kind: "withdrawal", orderId: id, resolution },
    );
    expect((await statement([`${id},R-1,succeeded,1000,KES`])).matched).toHaveLength(1);
  });

  it.each([
    ["order_id,status,amount\nwd_1,succeeded,1", "no column is named currency"],
    ["status,amount,currency\nsucceeded,1,KES", "no column is named order_id or reference"],
    ["order_id,status,amount,currency\nwd_1,paid,1,KES", "line 2: the status"],
    ["order_id,status,amount,currency\nwd_1,succeeded,1.001,KES", "line 2: that is no amount"],
    ["order_id,status,amount,currency,fee\nwd_1,succeeded,1,KES,-1", "line 2: that is no fee"],
    ["order_id,status,amount,currency\n,succeeded,1,KES", "line 2: it names neither"],
  ])("that reads %j is refused as a whole", (text, why) => {
    expect(() => readProviderStatement(text)).toThrow(why);
  });
});
