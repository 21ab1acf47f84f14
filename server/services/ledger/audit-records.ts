import type { Database } from "#db/client.ts";
import { listPricedQuotes, listPricedTopups, listPricedWithdrawals } from "#db/queries/audit/rules/prices.ts";
import { type AuditScope, asOfOneInstant, type RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { listBookingsAfter } from "#db/queries/ledger/bookings.ts";
import { listEntriesOf } from "#db/queries/ledger/ledger-entries.ts";
import { listTreasuryWithdrawalsAfter } from "#db/queries/transfers/treasury-withdrawals.ts";
import { type Booking, bookingHistory } from "#domain/booking.ts";
import { firstId, type IdKind } from "#domain/ids.ts";
import type { LedgerCause, LedgerEntry } from "#domain/ledger.ts";
import { historyFaults, settlementHistory, topupHistory, withdrawalHistory } from "#domain/ledger-history.ts";
import { quoteFaults, topupFaults, withdrawalFaults } from "#domain/price-audit.ts";
import { treasuryWithdrawn } from "#domain/treasury-entries.ts";
import { Findings } from "./audit-report.ts";

const PAGE = 500;
type Order = { id: string; chain: string | null };

/** Recomputes every price from its stored inputs, and compares the ledger with each record. Page by page, each at one instant. */
export async function auditRecords(db: Database, scope: AuditScope): Promise<RuleOutcome[]> {
  return [
    ...(await auditSettlements(db, scope)),
    ...(await auditOrders(db, scope, {
      kind: "withdrawal",
      list: (tx, after) => listPricedWithdrawals(tx, after, PAGE),
      faults: ({ order, terms }) => withdrawalFaults(order, terms),
      history: ({ order }) => withdrawalHistory(order),
    })),
    ...(await auditOrders(db, scope, {
      kind: "topup",
      list: (tx, after) => listPricedTopups(tx, after, PAGE),
      faults: ({ order, terms }) => topupFaults(order, terms),
      history: ({ order }) => topupHistory(order),
    })),
    await auditBooked<Booking & Order>(db, scope, {
      kind: "booking",
      cause: "booking",
      list: async (tx, after) => (await listBookingsAfter(tx, after, PAGE)).map((booking) => ({ ...booking, chain: null })),
      history: bookingHistory,
      name: "ledger_of_bookings",
      title: "the ledger holds of every booking exactly what it must",
    }),
    await auditBooked(db, scope, {
      kind: "treasuryWithdrawal",
      cause: "treasury_withdrawal",
      list: (tx, after) => listTreasuryWithdrawalsAfter(tx, after, PAGE),
      history: (withdrawal) => [treasuryWithdrawn(withdrawal) ?? []].flat(),
      name: "ledger_of_treasury_withdrawals",
      title: "the ledger holds of every treasury withdrawal exactly what it must",
    }),
  ];
}

async function auditSettlements(db: Database, scope: AuditScope): Promise<RuleOutcome[]> {
  const [prices, books] = [new Findings(), new Findings()];
  let after = { settlementId: start(scope, "settlement"), version: 0 };
  for (let more = true; more; ) {
    const page = await asOfOneInstant(db, async (tx) => {
      const quotes = await listPricedQuotes(tx, after, PAGE);
      const inForce = quotes
        .filter(({ settlement, quote }) => settlement.quote.version === quote.version)
        .map(({ settlement }) => settlement);
      await compareBooks(tx, "settlement", inForce, settlementHistory, books);
      return quotes;
    });
    for (const { settlement, quote, terms } of page) prices.check(settlement.id, quoteFaults(settlement, quote, terms), settlement.chain);
    const last = page.at(-1);
    if (last) after = { settlementId: last.settlement.id, version: last.quote.version };
    more = page.length === PAGE;
  }
  return [
    prices.outcome("settlement_price", "every quote follows from its mid rate, spread and terms, to the last base unit"),
    books.outcome("ledger_of_settlements", "the ledger holds of every settlement exactly what it must"),
  ];
}

type BookedWalk<Row extends Order> = {
  kind: IdKind;
  cause: LedgerCause;
  list(tx: Database, after: string): Promise<Row[]>;
  history(row: Row): LedgerEntry[];
  name: string;
  title: string;
};

async function auditBooked<Row extends Order>(db: Database, scope: AuditScope, walk: BookedWalk<Row>): Promise<RuleOutcome> {
  const books = new Findings();
  let after = start(scope, walk.kind);
  for (let more = true; more; ) {
    const page = await asOfOneInstant(db, async (tx) => {
      const rows = await walk.list(tx, after);
      await compareBooks(tx, walk.cause, rows, walk.history, books);
      return rows;
    });
    after = page.at(-1)?.id ?? after;
    more = page.length === PAGE;
  }
  return books.outcome(walk.name, walk.title);
}

type Walk<Row extends { order: Order }> = {
  kind: "withdrawal" | "topup";
  list(tx: Database, after: string): Promise<Row[]>;
  faults(row: Row): string[];
  history(row: Row): LedgerEntry[];
};

async function auditOrders<Row extends { order: Order }>(db: Database, scope: AuditScope, walk: Walk<Row>): Promise<RuleOutcome[]> {
  const [prices, books] = [new Findings(), new Findings()];
  let after = start(scope, walk.kind);
  for (let more = true; more; ) {
    const page = await asOfOneInstant(db, async (tx) => {
      const rows = await walk.list(tx, after);
      const due = rows.map((row) => ({ id: row.order.id, chain: row.order.chain, history: () => walk.history(row) }));
      await compareBooks(tx, walk.kind, due, ({ history }) => history(), books);
      return rows;
    });
    for (const row of page) prices.check(row.order.id, walk.faults(row), row.order.chain);
    after = page.at(-1)?.order.id ?? after;
    more = page.length === PAGE;
  }
  return [
    prices.outcome(`${walk.kind}_price`, `every ${walk.kind}'s crypto and fee follow from its mid rate, spread and percentage`),
    books.outcome(`ledger_of_${walk.kind}s`, `the ledger holds of every ${walk.kind} exactly what it must`),
  ];
}

async function compareBooks<Subject extends Order>(
  tx: Database,
  cause: LedgerCause,
  subjects: readonly Subject[],
  history: (subject: Subject) => LedgerEntry[],
  findings: Findings,
): Promise<void> {
  const booked = Map.groupBy(
    await listEntriesOf(
      tx,
      cause,
      subjects.map(({ id }) => id),
    ),
    ({ causeId }) => causeId,
  );
  for (const subject of subjects)
    findings.check(
      subject.id,
      historyFaults(() => history(subject), booked.get(subject.id) ?? []),
      subject.chain,
    );
}

function start(scope: AuditScope, kind: IdKind): string {
  return scope === null ? "" : firstId(kind, scope);
}
