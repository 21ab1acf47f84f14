import { randomUUID } from "node:crypto";
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import type { Declared } from "#domain/booking.ts";
import { isRefusal } from "#domain/refusal.ts";
import { testTokenAbi, tokenOwner } from "#sandbox/chain/tokens.ts";
import { simulatedRail } from "#server/engines/simulated-rail/simulated-rail.ts";
import { sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { listAmbiguousOrders } from "#server/services/fiat/read-orders.ts";
import { resolveAmbiguous } from "#server/services/fiat/resolve-ambiguous.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { cancelSettlement } from "#server/services/settlements/cancel-settlement.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died } from "#testing/death.ts";
import { setRate, type TestPartner } from "#testing/factories.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";
import { auditDatabase } from "./audit-database.ts";
import { auditLines } from "./audit-report.ts";
import { declareBookings } from "./declare-bookings.ts";
import { keepTreasuryOpen } from "./open-treasury.ts";
import { reconcile } from "./reconcile.ts";

const OPERATIONS = 1_000;
const A_ROUND = 25;
const PARTNERS = 10;
const ADMIN = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000000" }, requestId: null } as const;
/** The end of a provider's account decides the outcome of its payment: see the simulated provider. */
const ACCOUNTS = ["000000", "000000", "000000", "000000", "999901", "999903", "999904", "999905", "999906", "999907", "999908", "999909"];

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const random = mulberry32(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

let chain: TestChain;
let stage: MoneyStage;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  stage = await openMoneyStage(chain, { partners: PARTNERS, wallets: 2 });
  await chain.mine(4);
  await keepTreasuryOpen(stage.ctx).run();
});
afterAll(async () => {
  await stage.close();
  await chain.stop();
});

/**
 * One request: each kind with each account and wallet comes again and again, the rest is random. A refused one must change nothing; the
 * audit would show it.
 */
async function operate(index: number): Promise<void> {
  const partner = pick(stage.partners);
  const kind = index % 10;
  const turn = Math.floor(index / 10);
  if (below(20) === 0) return void (await pay(partner));
  const account = `+254700${ACCOUNTS[turn % ACCOUNTS.length]}`;
  const wallet = turn % ACCOUNTS.length === 1 ? chain.blockedWallet : newAddress();
  try {
    if (kind < 6) await settle(partner, wallet);
    else if (kind < 8) await stage.topUp(partner, { amountMinor: BigInt(10_000 + below(90_000)), wallet, account });
    else await stage.withdraw(partner, { amountMinor: BigInt(1_000 + below(90_000)), account });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

let lastPayment: Declared | null = null;

/** What a partner pays, by a line that perhaps was booked before. */
async function pay({ partnerId }: TestPartner): Promise<void> {
  const named = { kind: "partner_payment", currency: "KES", orderId: null, reference: randomUUID(), receivedAt: new Date(0) } as const;
  const item = below(4) === 0 && lastPayment !== null ? lastPayment : { ...named, partnerId, amountMinor: BigInt(1 + below(900_000)) };
  lastPayment = item;
  await Promise.all([1, 2].map(() => declareBookings(stage.powers, { by: ADMIN, items: [item], reason: null })));
}

async function settle(partner: TestPartner, wallet: string): Promise<void> {
  const isAboveMaximum = below(8) === 0;
  const amountMinor = BigInt(isAboveMaximum ? 100_000_001 + below(1_000) : 100_000 + below(900_000));
  const { id } = await stage.quote(partner, { amountMinor, wallet });
  const what = below(10);
  if (isAboveMaximum) {
    if (what < 3) return void (await rejectSettlement(stage.powers, { by: ADMIN, id, reason: "Looks wrong to us" }));
    await approveSettlement(stage.powers, { by: ADMIN, id, note: null, expectedExchangeRate: null });
  }
  if (what === 9) return void (await cancelSettlement(stage.powers, { ...partner, id }));
  if (what === 8) return;
  // A client without an answer retries.
  await Promise.all(Array.from({ length: 1 + below(2) }, () => stage.confirm(partner, id)));
}

/** A worker that dies after this many steps, or one that does not. */
async function workAndPerhapsDie(): Promise<void> {
  let left = below(4) === 0 ? Number.POSITIVE_INFINITY : 1 + below(120);
  const work = stage.newWorker(() => {
    left -= 1;
    if (left === 0) throw new Died("died");
  });
  await work().catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  await stage.letLeasesLapse();
}

/** A worker died while submitting an order that the provider refuses, so the outcome is unknown. An operator asks the provider. */
async function settleUnclear(): Promise<void> {
  for (const { id: orderId, kind } of await listAmbiguousOrders(stage.ctx)) {
    expect(await simulatedRail(stage.powers).lookUp(orderId)).toBeNull();
    const order = { by: ADMIN, reason: "The provider's people never had it.", kind, orderId };
    await resolveAmbiguous(stage.powers, { ...order, resolution: { outcome: "not_moved" } });
  }
}

/** More than any payment here offers, so that it comes first in its block. */
const FIRST = { gas: "0x30d40", maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x174876e800" };

/** The issuer pauses and unpauses the token around sent payments: those behind the pause in the block revert and are made again. */
async function pauseOverWhatIsSent(): Promise<void> {
  const call = (functionName: "pause" | "unpause") => {
    const data = encodeFunctionData({ abi: testTokenAbi, functionName });
    return chain.call("eth_sendTransaction", { from: tokenOwner().address, to: chain.tokens.USDT, data, ...FIRST });
  };
  await stage.newWorker()();
  await stage.letLeasesLapse();
  await call("pause");
  await stage.passTime();
  await workAndPerhapsDie();
  await call("unpause");
}

const OPEN = `select count(*)::int as open from (
  select 1 from settlements where status = 'processing' union all select 1 from withdrawals where status in ('pending', 'processing')
  union all select 1 from topups where status in ('pending', 'processing')) as open`;
const countOpen = async () => Number((await stage.sql.unsafe(OPEN))[0]?.open);

describe(`${OPERATIONS} operations with deaths in between (SEED=${seed})`, () => {
  it("leave a ledger that balances, and a database that the audit proves clean", async () => {
    for (let pass = 0; pass < OPERATIONS / A_ROUND; pass += 1) {
      await setRate(stage.db, `0.00${7_500_000 + below(500_000)}`);
      await Promise.all(Array.from({ length: A_ROUND }, (_, index) => operate(A_ROUND * pass + index)));
      await workAndPerhapsDie();
      await workAndPerhapsDie();
      if (pass % 10 === 5) await pauseOverWhatIsSent();
      await stage.passTime();
    }
    const work = stage.newWorker();
    for (let pass = 0; pass < 400 && (await countOpen()) > 0; pass += 1) {
      await work();
      await settleUnclear();
      // Some providers are slow or silent: now and then an hour passes.
      await stage.passTime(pass % 20 === 19 ? 3_700_000 : 4_000);
    }
    expect(await countOpen()).toBe(0);

    expect((await sealAuditLog(stage.ctx)).sealed).toBeGreaterThan(0);
    const report = await auditDatabase({ db: stage.db, evm: stage.ctx.evm });
    expect(auditLines(report).filter((line) => !line.startsWith("✓"))).toEqual([
      `${report.rules.length} rules, ${report.checked} checks, 0 violations`,
    ]);
    // The services are called without a request, so no request is logged: `audit-database.test.ts` checks those two rules. Nothing here
    // makes or packs batches, takes crypto out, screens, pays manually, limits or delivers callbacks. All payments have ended, and none was cancelled. A token with six decimals
    // leaves nothing to round. No day is closed yet.
    expect(report.rules.filter(({ checked }) => checked === 0).map(({ rule }) => rule)).toEqual([
      "batch_is_whole",
      "batch_awaits_an_admin_for_a_reason",
      "made_by_no_refused_request",
      "one_settlement_a_request",
      "treasury_withdrawal_was_signed",
      "one_log_one_transfer",
      "mined_has_ended",
      "cancellation_was_asked",
      "signed_was_screened",
      "proof_proves_its_transfer",
      "hold_has_its_verdict",
      "refused_was_not_paid",
      "callback_attempts_in_order",
      "ledger_rounds_in_our_favour",
      "outflow_is_explained",
      "held_payment_waits",
      "limits_count_what_passed",
      "suspense_agrees",
      "ledger_snapshots_hold",
      "ledger_of_treasury_withdrawals",
      "packed_log_is_claimed",
    ]);
    await expectEveryEnd();
    await expectBooksToSayWhatRecordsSay();
    expect(await reconcile(stage.ctx)).toMatchObject({ findings: [] });
    await expectTreasuryToBeWhatIsBooked();
  }, 900_000);
});

/** The mix was one: everything that can happen happened. */
async function expectEveryEnd(): Promise<void> {
  const ends = await stage.sql`
    select status as is from settlements union select step from withdrawals union select step from topups union select approval_state from settlements`;
  expect(ends.map((row) => row.is)).toEqual(
    expect.arrayContaining([
      "quoted",
      "executed",
      "failed",
      "cancelled",
      "approved",
      "rejected",
      "paid",
      "returned",
      "sent",
      "unsent",
      "uncollected",
    ]),
  );
}

/** Each partner's account, added up without any of the ledger's own code. */
async function expectBooksToSayWhatRecordsSay(): Promise<void> {
  const due = await stage.sql`
    select partner_id, sum(amount)::text as amount from (
      select partner_id, source_amount_minor as amount from settlements where status = 'executed'
      union all select partner_id, -fee_minor from withdrawals where step = 'paid'
      union all select partner_id, -fee_minor from topups where step = 'sent'
      union all select partner_id, -amount_minor from topups where step = 'unsent'
      union all select partner_id, -amount_minor from bookings
    ) as due group by 1 having sum(amount) <> 0 order by 1`;
  const balances = await listLedgerBalances(stage.db);
  const booked = balances.filter(
    ({ account, currency, amount }) => account === "partner_receivable" && currency === "KES" && amount !== 0n,
  );
  expect(booked.map(({ partnerId, amount }) => ({ partner_id: partnerId, amount: String(amount) }))).toEqual(
    due.map((row) => ({ ...row })),
  );
  expect(balances.filter(({ account, amount }) => account === "clearing" && amount !== 0n)).toEqual([]);
  for (const [, group] of Map.groupBy(balances, ({ currency, chain: place }) => `${currency} ${place}`)) {
    expect(group.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
  }
}

async function expectTreasuryToBeWhatIsBooked(): Promise<void> {
  const booked = (await listLedgerBalances(stage.db)).find(({ account, currency }) => account === "treasury" && currency === "USDT");
  let held = 0n;
  for (const wallet of stage.addresses) held += await stage.tokenBalance(wallet);
  expect(booked?.amount).toBe(held);
}

/** A small generator of the public domain, so that a run can be repeated by its seed. */
function mulberry32(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
