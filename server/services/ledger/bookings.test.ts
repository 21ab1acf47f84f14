import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import type { By } from "#domain/access.ts";
import type { Declared } from "#domain/booking.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { listProposals } from "#server/services/proposal-decisions/kinds.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { addPartner, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { endLimits } from "#testing/limits.ts";
import { addProvenPerson, refusalOf } from "#testing/people.ts";
import { NO_LAPSING_CHAINS } from "#testing/surface.ts";
import { openTamperer } from "#testing/tamper.ts";
import { newAddress } from "#testing/transfers.ts";
import { auditDatabase } from "./audit-database.ts";
import { bookBankFile, judgeBankFile } from "./book-bank-file.ts";
import { declareBookings, listBookings, reverseBooking } from "./declare-bookings.ts";
import { readPools } from "./read-books.ts";
import { readStatement, renderStatement } from "./statement.ts";

/** Movements of fiat that people declare. In live mode nothing is booked before the second person confirms it. */

const reason = "As the bank's statement says.";
const YESTERDAY = new Date(Date.now() - 86_400_000);
let bench: FiatBench;
let ana: By;
let ben: By;
let [payer, other]: TestPartner[] = [];
beforeAll(async () => {
  bench = await openFiatBench();
  ana = (await addProvenPerson(bench.db, "admin")).by;
  ben = (await addProvenPerson(bench.db, "admin")).by;
});
beforeEach(async () => {
  payer = await addPartner(bench.db);
  other = await addPartner(bench.db);
});
afterAll(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  await bench.close();
});

const sandbox = () => ({ ...bench.ctx, mode: "sandbox" as const });
const idOf = (of: TestPartner | undefined) => of?.partnerId ?? "";
const payment = (reference: string, more: Partial<Declared> = {}): Declared => ({
  kind: "partner_payment",
  partnerId: idOf(payer),
  currency: "KES",
  amountMinor: 250_000n,
  reference,
  orderId: null,
  receivedAt: YESTERDAY,
  ...more,
});
const declare = (...items: Declared[]) => declareBookings(sandbox(), { by: ana, items, reason });
const owes = async (of: TestPartner | undefined) =>
  (await listLedgerBalances(bench.db)).find(({ account, partnerId }) => account === "partner_receivable" && partnerId === idOf(of))
    ?.amount ?? 0n;
const entries = async () => Number((await bench.sql`select count(*)::int as count from ledger_entries where cause = 'booking'`)[0]?.count);

describe("a partner's payment", () => {
  it("lowers what the partner owes, once for its reference, also when it is declared ten times at once", async () => {
    const before = await entries();
    const answers = await Promise.all(Array.from({ length: 10 }, () => declare(payment("FT-1"))));
    expect(answers.flatMap(({ bookings }) => bookings).filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await owes(payer)).toBe(-250_000n);
    expect((await entries()) - before).toBe(1);
    const [line] = (await readStatement(bench.ctx, { partnerId: idOf(payer), from: new Date(0), to: new Date(Date.now() + 1_000) }))
      .accounts;
    expect(line).toMatchObject({ closing: -250_000n, lines: [{ booking: "partner_payment", externalId: "FT-1" }] });
  });

  it("is refused under a reference that another partner has, that has another amount, or where there is no partner", async () => {
    await declare(payment("FT-2"));
    expect(await refusalOf(declare(payment("FT-2", { partnerId: idOf(other) })))).toBe("conflict");
    expect(await refusalOf(declare(payment("FT-2", { amountMinor: 250_001n })))).toBe("conflict");
    expect(await refusalOf(declare(payment("FT-3", { partnerId: "00000000-0000-4000-8000-000000000000" })))).toBe("not_found");
    expect(await refusalOf(declare(payment("FT-3", { receivedAt: new Date(Date.now() + 60_000) })))).toBe("validation_failed");
    expect([await owes(payer), await owes(other)]).toEqual([-250_000n, 0n]);
  });

  it("needs two people in live mode, and the same asked again waits as it did", async () => {
    const ask = (item = payment("FT-4")) => declareBookings(bench.ctx, { by: ana, items: [item], reason });
    expect(await ask()).toEqual({ proposed: true, bookings: [] });
    expect(await ask()).toEqual({ proposed: true, bookings: [] });
    expect(await refusalOf(ask(payment("FT-4", { amountMinor: 1n })))).toBe("conflict");
    expect(await owes(payer)).toBe(0n);
    await confirm("bookings");
    expect(await owes(payer)).toBe(-250_000n);
    expect((await ask()).bookings).toMatchObject([{ repeated: true }]);
  });

  it("is reversed in full by two people, once, and its reference is then free for whose payment it was", async () => {
    const [
      {
        booking: { id },
      } = { booking: { id: "" } },
    ] = (await declare(payment("FT-5"))).bookings;
    expect(await reverseBooking(bench.ctx, { by: ana, id, reason })).toEqual({ proposed: true });
    expect(await owes(payer)).toBe(-250_000n);
    await confirm("booking_reversal");
    expect(await owes(payer)).toBe(0n);
    expect(await refusalOf(reverseBooking(bench.ctx, { by: ana, id, reason }))).toBe("invalid_state");
    await declare(payment("FT-5", { partnerId: idOf(other) }));
    expect([await owes(payer), await owes(other)]).toEqual([0n, -250_000n]);
    expect(await listBookings(bench.ctx, idOf(payer))).toMatchObject([{ id, reversedAt: expect.any(Date) }]);
    const period = { partnerId: idOf(payer), from: new Date(0), to: new Date(Date.now() + 1_000) };
    const csv = [...renderStatement(await readStatement(bench.ctx, period))].join("");
    expect(csv).toMatch(/,FT-5,,,2500\.00,-2500\.00,Your payment\r\n/);
    expect(csv).toMatch(/,FT-5,,2500\.00,,0\.00,Reversal of a payment that was not yours\r\n/);
  });

  it("lets a partner quote again that had reached its credit line", async () => {
    const amountAtto = 5_000n * 10n ** 18n;
    const [id] = await openLimits(
      bench.ctx,
      [
        {
          ...BLANK_LIMIT,
          kind: "credit_line",
          mode: "enforce",
          countedBy: null,
          windowSeconds: null,
          amountAtto,
          sourceCurrency: "KES",
          id: "credit",
        },
      ],
      reason,
    );
    expect(id).toBe("credit");
    const quote = () => {
      const terms = { sourceAmountMinor: 300_000n, sourceCurrency: "KES", destinationCurrency: "USDT", chain: TEST_CHAIN.chain };
      const asked = { ...terms, externalMerchantId: "m", walletAddress: newAddress(), callbackUrl: "http://localhost:9/a" };
      return createSettlement(bench.ctx, { ...(payer as TestPartner), ...asked });
    };
    const first = await quote();
    const confirmation = { id: first.id, externalTxId: first.id, callbackUrl: null, expectedDestinationAmount: null };
    await confirmSettlement(bench.ctx, { ...(payer as TestPartner), ...confirmation });
    await bench.endTransfer("settlement", first.id, { txHash: "0xe1" });
    expect((await quote()).approvalState).toBe("pending");
    await declare(payment("FT-6"));
    expect((await quote()).approvalState).toBeNull();
    await endLimits(bench.sql);
  });
});

describe("a bank's file", () => {
  const HEAD = "reference,partner,amount,currency,received_at";
  const day = YESTERDAY.toISOString().slice(0, 10);
  const book = (text: string) => bookBankFile(sandbox(), { by: ana, text, reason });

  it("books each line once, also when it is read twice at once, and again with one line more", async () => {
    const lines = [`BF-1,${idOf(payer)},2500.00,KES,${day}`, `BF-2,${idOf(other)},10.5,KES,${day}`];
    const text = [HEAD, ...lines].join("\r\n");
    const both = await Promise.all([book(text), book(text)]);
    expect(both.reduce((sum, { booked }) => sum + booked, 0)).toBe(2);
    expect(await book(text)).toEqual({ proposed: false, booked: 0, known: 2 });
    expect(await book([text, `BF-3,${idOf(other)},1,KES,${day}`].join("\n"))).toEqual({ proposed: false, booked: 1, known: 2 });
    expect([await owes(payer), await owes(other)]).toEqual([-250_000n, -1_150n]);
  });

  it("names every fault by row and column, and then books nothing of it", async () => {
    await declare(payment("BF-4"));
    const text = [
      HEAD,
      `BF-5,${idOf(payer)},1.00,KES,${day}`,
      `BF-5,nobody,1.001,KES,2026-02-31`,
      `,${idOf(payer)},0,kes,2999-01-01`,
      `BF-4,${idOf(payer)},1.00,KES,${day}`,
    ].join("\n");
    const before = await entries();
    const { faults } = await judgeBankFile(bench.ctx, text);
    expect(faults.map(({ row, column }) => `${row} ${column}`)).toEqual([
      "1 reference",
      "1 partner",
      "1 amount",
      "1 received_at",
      "2 reference",
      "2 currency",
      "2 received_at",
      "3 reference",
    ]);
    expect(await refusalOf(book(text))).toBe("validation_failed");
    expect(await refusalOf(book("no,head\n1,2"))).toBe("validation_failed");
    expect(await entries()).toBe(before);
  });
});

describe("what a provider took, or lost", () => {
  const pool = async () => (await readPools(bench.ctx)).find(({ currency }) => currency === "KES");
  const cost = (reference: string, amountMinor: bigint, kind: Declared["kind"] = "provider_cost") =>
    payment(reference, { kind, partnerId: null, amountMinor });

  it("leaves the pool with the cost on its account, and comes back with the reversal", async () => {
    const before = (await pool())?.totalMinor ?? 0n;
    const { bookings } = await declare(cost("invoice-1", 1_200n), cost("missing-1", 300n, "fiat_loss"));
    expect((await pool())?.totalMinor).toBe(before - 1_500n);
    for (const { booking } of bookings) await reverseBooking(sandbox(), { by: ana, id: booking.id, reason });
    expect((await pool())?.totalMinor).toBe(before);
    expect(await listBookings(bench.ctx, null)).toHaveLength(2);
  });

  it("cannot be more than the pool has free", async () => {
    const total = (await pool())?.totalMinor ?? 0n;
    await bench.withdraw({ amountMinor: 100_000n });
    expect(await refusalOf(declare(cost("invoice-2", total - 99_999n)))).toBe("insufficient_liquidity");
    expect((await pool())?.totalMinor).toBe(total);
  });
});

it("the audit names a booking that nobody declared, one that the ledger has otherwise, and an entry without one", async () => {
  await declare(payment("FT-7"));
  const tamperer = openTamperer(bench.database.url);
  const broken = async (change: string) => {
    const { rules } = await tamperer.tamper(change, (tx) => auditDatabase({ db: tx }, { without: WITHOUT_CHAIN }));
    return rules.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
  };
  expect(await broken("update bookings set reference = 'FT-8' where reference = 'FT-7'")).toEqual(["booking_was_declared"]);
  expect(await broken("update bookings set reversed_at = now() where reference = 'FT-7'")).toEqual(["ledger_of_bookings"]);
  expect(await broken("update bookings set amount_minor = 1 where reference = 'FT-7'")).toEqual([
    "booking_was_declared",
    "ledger_of_bookings",
  ]);
  expect(await broken("delete from bookings where reference = 'FT-7'")).toEqual(["ledger_has_a_cause"]);
  await tamperer.close();
});

/** Who asked cannot confirm; the other one can. */
async function confirm(kind: string): Promise<void> {
  const [{ id } = { id: "" }] = (await listProposals(bench.ctx)).open;
  expect((await listProposals(bench.ctx)).open).toMatchObject([{ kind }]);
  const live = {
    ...bench.ctx,
    lapsing: NO_LAPSING_CHAINS,
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
  };
  expect(await refusalOf(confirmProposal(live, { by: ana, id }))).toBe("same_approver");
  await confirmProposal(live, { by: ben, id });
}
