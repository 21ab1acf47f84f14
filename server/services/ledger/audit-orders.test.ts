import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import type { FiatAnswer } from "#server/ports.ts";
import { cancelTopup, cancelWithdrawal } from "#server/services/fiat/cancel-orders.ts";
import { WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { openTamperer } from "#testing/tamper.ts";
import { auditDatabase } from "./audit-database.ts";
import { auditLines } from "./audit-report.ts";

const without = WITHOUT_CHAIN;
const SUCCEEDED: FiatAnswer = { status: "succeeded", reference: "R-1", reason: null, instructions: null };
const FAILED: FiatAnswer = { status: "failed", reference: "R-1", reason: "No", instructions: null };

let bench: FiatBench;
let tamperer: ReturnType<typeof openTamperer>;

beforeAll(async () => {
  bench = await openFiatBench();
  tamperer = openTamperer(bench.database.url);
  await liveThroughAll();
});
afterAll(async () => {
  await tamperer.close();
  await bench.close();
});

const work = async () => {
  await runOrdersOnce(bench.newEngine(), "withdrawals");
  await runOrdersOnce(bench.newEngine(), "topups");
};
const withdraw = async () => (await bench.withdraw({ amountMinor: 12_345n })).id;

/** An order at every step that there is. One Safe is swept at a time, so withdrawals come one after the other. */
async function liveThroughAll(): Promise<void> {
  const paid = await swept();
  bench.provider.answers(SUCCEEDED);
  await work();
  expect((await bench.withdrawal(paid)).step).toBe("paid");
  for (const end of [{ txHash: "0xb1" }, { reason: "No way back." }, null]) {
    const id = await swept();
    bench.provider.answers(FAILED);
    await work();
    if (end !== null) await bench.endTransfer("return", id, end);
  }
  const released = await withdraw();
  await work();
  await bench.endTransfer("sweep", released, { reason: "The Safe refuses." });
  bench.provider.answers({ status: "pending", reference: "R-2", instructions: null });
  await swept();
  await work();
  await cancelWithdrawal(bench.ctx, { ...bench.partner, id: await withdraw() });
  await cancelTopup(bench.ctx, { ...bench.partner, id: (await bench.topUp()).id });
  const collected = [(await bench.topUp()).id, (await bench.topUp()).id, (await bench.topUp()).id];
  bench.provider.answers(SUCCEEDED);
  await work();
  await bench.endTransfer("topup", collected[0] ?? "", { txHash: "0xc1" });
  await bench.endTransfer("topup", collected[1] ?? "", { reason: "The token refuses." });
  await bench.topUp();
  bench.provider.answers(FAILED);
  await work();
  await bench.topUp();
  bench.provider.answers({ status: "pending", reference: "R-3", instructions: null });
  await withdraw();
  await work();
  await withdraw();
}

/** A withdrawal whose crypto is in the treasury. */
async function swept(): Promise<string> {
  const id = await withdraw();
  await work();
  await bench.endTransfer("sweep", id, { txHash: `0x${id}` });
  return id;
}

async function brokenBy(change: string): Promise<string[]> {
  const { rules } = await tamperer.tamper(change, (tx) => auditDatabase({ db: tx }, { without }));
  return rules.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
}

const withdrawalAt = (step: string) => `(select id from withdrawals where step = '${step}' and cancelled_at is null limit 1)`;
const topupAt = (step: string) => `(select id from topups where step = '${step}' and cancelled_at is null limit 1)`;

describe("the audit of withdrawals, top-ups and pools", () => {
  it("is clean with an order at every step", async () => {
    const steps = await bench.sql`select step from withdrawals union select step from topups`;
    expect(steps.map(({ step }) => step).sort()).toEqual(
      ["reserved", "sweeping", "paying_out", "returning", "paid", "released", "returned", "unreturned"]
        .concat(["collecting", "sending", "sent", "uncollected", "unsent"])
        .sort(),
    );
    const report = await auditDatabase({ db: bench.db }, { without });
    expect(auditLines(report).filter((line) => !line.startsWith("✓"))).toEqual([
      `${report.rules.length} rules, ${report.checked} checks, 0 violations`,
    ]);
    expect(Object.fromEntries(report.rules.map(({ rule, checked }) => [rule, checked]))).toMatchObject({
      withdrawal_took_what_it_says: 9,
      topup_paid_what_it_says: 6,
      provider_was_heard_once: 15,
      cancelled_before_anything_moved: 15,
      pool_agrees_with_the_ledger: 1,
      promises_are_kept_once: 9,
      withdrawal_price: 9,
      ledger_of_withdrawals: 9,
      topup_price: 6,
      ledger_of_topups: 6,
      callback_where_due: 9,
      last_event_agrees: 9,
    });
  });

  const CASES: [what: string, broken: string[], change: string][] = [
    [
      "fiat paid for crypto that was never taken",
      ["withdrawal_took_what_it_says"],
      `delete from transfers where owner_id = ${withdrawalAt("paid")}`,
    ],
    [
      "crypto swept for a withdrawal that is released",
      ["withdrawal_took_what_it_says"],
      `update transfers set state = 'executed', tx_hash = '0xdd' where owner_id = ${withdrawalAt("released")}`,
    ],
    [
      "a sweep of another amount",
      ["withdrawal_took_what_it_says"],
      `update transfers set amount_base = 1 where owner_id = ${withdrawalAt("paid")}`,
    ],
    [
      "a return to another Safe",
      ["withdrawal_took_what_it_says"],
      `update transfers set recipient = '0xaa' where purpose = 'return' and owner_id = ${withdrawalAt("returned")}`,
    ],
    [
      "a withdrawal paid without the provider's word",
      ["provider_was_heard_once"],
      `delete from provider_events where order_id = ${withdrawalAt("paid")}`,
    ],
    [
      "a word that was applied twice",
      ["provider_was_heard_once"],
      `insert into provider_events select 'pe_zzzzzzzzzzzzzzzzzzzzzzzzzz', order_id, source, status, reference, reason, effect, body, received_at
        from provider_events where order_id = ${withdrawalAt("paid")}`,
    ],
    [
      "crypto for a top-up that nobody paid for",
      ["topup_paid_what_it_says"],
      `update transfers set owner_id = ${topupAt("uncollected")} where owner_id = ${topupAt("sending")}`,
    ],
    [
      "a top-up sent to another wallet",
      ["topup_paid_what_it_says"],
      `update transfers set recipient = '0xaa' where owner_id = ${topupAt("sent")}`,
    ],
    ["a pool that holds other than what is booked", ["pool_agrees_with_the_ledger"], "update fiat_pools set total_minor = total_minor + 1"],
    [
      "a promise that outlives its withdrawal",
      ["promises_are_kept_once", "pool_agrees_with_the_ledger", "ledger_of_withdrawals"],
      `delete from ledger_entries where cause_id = ${withdrawalAt("released")} and step = 'released'`,
    ],
    [
      "a withdrawal that was never promised",
      ["promises_are_kept_once", "pool_agrees_with_the_ledger", "ledger_of_withdrawals"],
      `with gone as (delete from ledger_entries where cause_id = ${withdrawalAt("reserved")} returning id)
        delete from ledger_postings where entry_id in (select id from gone)`,
    ],
    [
      "a payout of another amount than was booked",
      ["pool_agrees_with_the_ledger", "ledger_of_withdrawals"],
      `update ledger_postings set amount = amount + case account when 'fiat_pool' then 7 else -7 end where currency = 'KES'
        and account in ('fiat_pool', 'conversion') and entry_id = (select id from ledger_entries where step = 'paid')`,
    ],
    [
      "a fee of another percentage",
      ["withdrawal_price"],
      `update withdrawals set charge_fee_percentage = 50 where id = ${withdrawalAt("paid")}`,
    ],
    [
      "rounding against us",
      ["ledger_rounds_in_our_favour", "ledger_balances", "ledger_of_topups"],
      `insert into ledger_postings select entry_id, 99, 99, phase, 'rounding', null, currency, chain, decimals, 1 from ledger_postings
        where account = 'treasury' and entry_id = (select id from ledger_entries where step = 'sent')`,
    ],
    [
      "a step of a withdrawal without its event",
      ["change_has_its_event", "event_versions_rise_by_one"],
      `delete from events where object_id = ${withdrawalAt("paid")} and version = 2`,
    ],
    [
      "a withdrawal that was cancelled and paid",
      ["cancelled_before_anything_moved", "callback_where_due", "last_event_agrees"],
      `update withdrawals set cancelled_at = now() where id = ${withdrawalAt("paid")}`,
    ],
    [
      "a top-up that was cancelled after the provider had it",
      ["cancelled_before_anything_moved"],
      "update topups set given_at = now() where cancelled_at is not null",
    ],
    ["a cancellation without its event", ["change_has_its_event"], "delete from events where type = 'withdrawal.cancelled'"],
    [
      "an end of a withdrawal without its callback",
      ["callback_where_due"],
      `delete from callbacks where subject_id = ${withdrawalAt("unreturned")}`,
    ],
  ];
  for (const [what, expected, change] of CASES) {
    it(`finds ${what}`, async () => {
      expect((await brokenBy(change)).sort()).toEqual(expected.sort());
    });
  }
});
