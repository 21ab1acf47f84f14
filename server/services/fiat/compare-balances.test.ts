import { beforeEach, expect, it } from "vitest";
import { listProviderBalances } from "#db/queries/fiat/provider-balances.ts";
import { SYSTEM } from "#domain/access.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { simulatedRail } from "#server/engines/simulated-rail/simulated-rail.ts";
import { Unreachable } from "#server/ports.ts";
import { fundPool } from "#server/services/ledger/fund-pool.ts";
import { setClockOffset } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { takeProviderEvent } from "./apply-provider-update.ts";
import { type AskedRails, compareBalances } from "./compare-balances.ts";

/** The pool has 1,000,000 of KES. */
const BOOKED = 1_000_000n;
const MINUTE = 60_000;
let bench: FiatBench;
let asked = 0;
type Answers = { currency: string; amountMinor: bigint }[];
let provider: () => Promise<Answers>;
beforeEach(async () => {
  bench = await openFiatBench();
  asked = 0;
  return () => bench.close();
});

const says = (amountMinor: bigint) => {
  provider = async () => {
    asked += 1;
    return [{ currency: "KES", amountMinor }];
  };
};
const rails = () => new Map([[FIRST_PROVIDER, { balances: () => provider() }]]);
const compare = () => compareBalances({ ...bench.ctx, db: bench.database.worker }, rails());
const kept = async () => (await listProviderBalances(bench.db))[0];
const at = (minutes: number) => setClockOffset(bench.db, minutes * MINUTE);
const cases = async () =>
  (await bench.sql`select change ->> 'difference' as difference from audit_entries where action = 'pool.compared' order by id`).map(
    ({ difference }) => difference,
  );

it("is asked once an hour by one of several workers, and agrees", async () => {
  says(BOOKED);
  expect((await Promise.all([compare(), compare(), compare()])).filter(Boolean)).toHaveLength(1);
  expect(await kept()).toMatchObject({ balanceMinor: BOOKED, differenceMinor: 0n, differsSince: null, problem: null });
  await at(59);
  expect(await compare()).toBe(false);
  await at(61);
  expect(await compare()).toBe(true);
  expect([asked, await cases()]).toEqual([2, []]);
});

it("is asked once where another worker's transaction began a moment later, and again after a clock was put back", async () => {
  says(BOOKED);
  await at(0.02);
  expect(await compare()).toBe(true);
  await at(0);
  expect([await compare(), asked]).toEqual([false, 1]);
  await at(-6);
  expect([await compare(), asked]).toEqual([true, 2]);
});

it("is a case with its amount where it differs: once for each amount, since the first of them, until it agrees", async () => {
  says(BOOKED - 700n);
  await compare();
  const since = (await kept())?.differsSince;
  expect(await kept()).toMatchObject({ differenceMinor: -700n, differsSince: expect.any(Date) });
  await at(6);
  await compare();
  says(BOOKED - 900n);
  await at(12);
  await compare();
  expect(await kept()).toMatchObject({ differenceMinor: -900n, differsSince: since });
  says(BOOKED);
  await at(18);
  await compare();
  expect(await kept()).toMatchObject({ differenceMinor: 0n, differsSince: null });
  expect(await cases()).toEqual(["-7.00", "-9.00", "0.00"]);
});

it("may be ahead of us by what the provider has and has not reported, and by what ends while it is asked", async () => {
  const { id } = await bench.withdraw({ amountMinor: 100_000n });
  const run = () => runOrdersOnce(bench.newEngine(), "withdrawals");
  await run();
  await bench.endTransfer("sweep", id, { txHash: "0xa1" });
  await run();
  says(BOOKED - 100_000n);
  await compare();
  expect(await kept()).toMatchObject({ differenceMinor: 0n });
  says(BOOKED - 100_001n);
  await at(61);
  await compare();
  expect(await kept()).toMatchObject({ differenceMinor: -1n });
  provider = async () => {
    const word = { status: "succeeded", reference: `P-${id}`, reason: null } as const;
    await takeProviderEvent(bench.ctx, { provider: FIRST_PROVIDER, kind: "withdrawal", orderId: id, word, body: "{}" });
    return [{ currency: "KES", amountMinor: BOOKED }];
  };
  await at(122);
  await compare();
  expect(await kept()).toMatchObject({ differenceMinor: 0n });
});

it.each([
  ["does not answer", () => Promise.reject(new Unreachable("it is silent")), "it is silent"],
  ["names a currency twice", async () => [1n, 2n].map((amountMinor) => ({ currency: "KES", amountMinor })), "a provider names KES twice"],
  ["does not name the currency", async () => [{ currency: "UGX", amountMinor: 1n }], "No provider says what it holds of KES."],
])("keeps what was known, says why, and asks again after five minutes where the provider %s", async (_what, answer, problem) => {
  says(BOOKED - 1n);
  await compare();
  const before = await kept();
  provider = answer as () => Promise<Answers>;
  await at(61);
  await compare();
  expect(await kept()).toEqual({ ...before, askedAt: expect.any(Date), problem });
  says(BOOKED);
  await at(64);
  expect(await compare()).toBe(false);
  await at(67);
  await compare();
  expect(await kept()).toMatchObject({ differenceMinor: 0n, problem: null });
});

it("is not judged while another configured provider cannot be asked, and money that came in is found", async () => {
  says(BOOKED);
  const both: AskedRails = new Map([
    [FIRST_PROVIDER, { balances: () => provider() }],
    ["former", {}],
  ]);
  await compareBalances({ ...bench.ctx, db: bench.database.worker }, both);
  expect(await kept()).toMatchObject({ balanceMinor: null, problem: "A configured provider cannot be asked for its balance." });
  await at(6);
  await bench.db.transaction((tx) => fundPool(tx, { by: SYSTEM, currency: "KES", amountMinor: 5n, reference: "bank-1", now: new Date() }));
  await compare();
  expect(await kept()).toMatchObject({ differenceMinor: -5n });
});

it("agrees in the sandbox, whose provider counts its own orders", async () => {
  const sandbox = { ...bench.ctx, mode: "sandbox" as const, db: bench.database.worker };
  const rail = simulatedRail(sandbox);
  const run = () => runOrdersOnce(bench.newEngine({ rails: { of: () => rail } }), "withdrawals");
  const { id } = await bench.withdraw({ amountMinor: 100_000n });
  await run();
  await bench.endTransfer("sweep", id, { txHash: "0xa1" });
  await run();
  await at(10);
  // It has paid, and has not reported it yet.
  await compareBalances(sandbox, new Map([[FIRST_PROVIDER, rail]]));
  expect(await kept()).toMatchObject({ balanceMinor: BOOKED - 100_000n, differenceMinor: 0n });
  expect((await bench.withdrawal(id)).step).toBe("paying_out");
});
