import type { Database } from "#db/client.ts";
import type { FiatTable } from "#db/queries/fiat/fiat-work.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { statement, type Table, type View } from "#fault/simulation/store.ts";
import { business, dateOf, type OrderRow, tables } from "./rows.ts";
import { wake } from "./wakes.ts";

type Work = typeof import("#db/queries/fiat/fiat-work.ts");
type Lease = { id: string; token: string };

/** Business time, as every due time and every instant of an order. */
const nowOf = (view: View) => view.now + business.aheadMs;
const tableOf = (name: FiatTable): Table<OrderRow> => tables()[name] as unknown as Table<OrderRow>;
const UNTOUCHED = { tries: 0, waitingReason: null, ambiguousSince: null, leaseUntil: null, leaseToken: null };

/** The row of a worker that still has it, for a change; undefined: another has it by now, or it was moved. */
function held(view: View, table: FiatTable, { id, token }: Lease): OrderRow | undefined {
  const row = view.get(tableOf(table), id);
  if (row?.leaseToken !== token || row.dueAt === null) return undefined;
  const now = view.lock(tableOf(table), id);
  return now?.leaseToken === token && now.dueAt !== null ? now : undefined;
}

/** As `db/queries/fiat/fiat-work.ts`. */
export const fiatWorkQueries = {
  readTalk: (db, table, id) =>
    statement(db, `read talk of ${table}`, (view) => {
      const row = view.get(tableOf(table), id);
      if (row === undefined) throw new Error(`${id} is no order`);
      const { acceptedAt, givenAt, tries } = row;
      const givenSecondsAgo = givenAt === null ? null : (nowOf(view) - givenAt) / 1_000;
      return { acceptedAt: acceptedAt === null ? null : dateOf(acceptedAt), givenSecondsAgo, tries, trace: null };
    }),
  recordOrdering: (db, table, lease) =>
    statement(db, `record ordering of ${table}`, (view) => {
      const row = held(view, table, lease);
      if (row === undefined) return false;
      view.put(tableOf(table), { ...row, givenAt: row.givenAt ?? nowOf(view) });
      return true;
    }),
  markAmbiguous: (tx, table, lease, reason) =>
    statement(tx, `mark ambiguous ${table}`, (view) => {
      const row = held(view, table, lease);
      if (row === undefined || !["paying_out", "collecting"].includes(row.order.step)) return false;
      view.put(tableOf(table), { ...row, ...UNTOUCHED, tries: row.tries, ambiguousSince: nowOf(view), waitingReason: reason, dueAt: null });
      return true;
    }),
  restOrder: (db, table, lease, rest) =>
    statement(db, `rest order (${rest.reason})`, (view) => {
      const row = held(view, table, lease);
      if (row === undefined) return;
      const at = nowOf(view) + rest.seconds * 1_000;
      const notAfter = rest.notAfter ? rest.notAfter.getTime() - dateOf(0).getTime() : at;
      const accepted = rest.accepted && { acceptedAt: row.acceptedAt ?? nowOf(view), tries: 0 };
      const order = { ...row.order, providerReference: rest.accepted?.reference ?? row.order.providerReference };
      view.put(tableOf(table), {
        ...row,
        order,
        dueAt: Math.min(at, notAfter),
        waitingReason: rest.reason,
        tries: row.tries + (rest.tried ? 1 : 0),
        leaseUntil: null,
        leaseToken: null,
        ...(rest.refused && { givenAt: null }),
        ...accepted,
      });
    }),
} satisfies Partial<Work>;

const find = <Order>(db: Database, table: FiatTable, id: string) =>
  statement(db, `find in ${table}`, (view) => (view.get(tableOf(table), id)?.order as Order | undefined) ?? null);
const lock = <Order>(db: Database, table: FiatTable, id: string) =>
  statement(db, `lock in ${table}`, (view) => (view.lock(tableOf(table), id)?.order as Order | undefined) ?? null);

const insert = (db: Database, table: FiatTable, order: Topup | Withdrawal) =>
  statement(db, `insert into ${table}`, (view) => {
    const row = { id: order.id, order, acceptedAt: null, givenAt: null, dueAt: nowOf(view), ...UNTOUCHED };
    view.put(tableOf(table), row);
    view.whenCommitted(() => wake("fiat"));
  });

/** What is due next follows from the step; whatever lease there was has done its service. */
const save = (db: Database, table: FiatTable, order: Topup | Withdrawal, isDue: boolean) =>
  statement(db, `save ${table} ${order.step}`, (view) => {
    const row = view.lock(tableOf(table), order.id);
    if (row === undefined) return;
    view.put(tableOf(table), { ...row, order, ...UNTOUCHED, dueAt: isDue ? nowOf(view) : null });
    if (isDue) view.whenCommitted(() => wake("fiat"));
  });

/** As `db/queries/fiat/topups.ts`. */
export const topupQueries = {
  insertTopup: (tx, topup) => insert(tx, "topups", topup),
  findTopup: (db, id) => find<Topup>(db, "topups", id),
  lockTopup: (tx, id) => lock<Topup>(tx, "topups", id),
  saveTopup: (tx, topup) => save(tx, "topups", topup, false),
  savePaymentAdvice: async () => {},
} satisfies Partial<typeof import("#db/queries/fiat/topups.ts")>;

/** As `db/queries/fiat/withdrawals.ts`. */
export const withdrawalQueries = {
  insertWithdrawal: (tx, withdrawal) => insert(tx, "withdrawals", withdrawal),
  findWithdrawal: (db, id) => find<Withdrawal>(db, "withdrawals", id),
  lockWithdrawal: (tx, id) => lock<Withdrawal>(tx, "withdrawals", id),
  listWithdrawals: (db, ids) =>
    statement(db, "list withdrawals", (view) =>
      ids.flatMap((id) => (view.get(tableOf("withdrawals"), id)?.order as Withdrawal | undefined) ?? []),
    ),
  saveWithdrawal: (tx, withdrawal) => save(tx, "withdrawals", withdrawal, ["reserved", "paying_out"].includes(withdrawal.step)),
} satisfies Partial<typeof import("#db/queries/fiat/withdrawals.ts")>;

/** As `db/queries/fiat/provider-statement.ts`. */
export const providerEventQueries = {
  insertProviderEvent: (db, event) =>
    statement(db, `insert provider event ${event.effect}`, (view) => view.put(tables().providerEvents, { id: event.id, event })),
} satisfies Partial<typeof import("#db/queries/fiat/provider-statement.ts")>;

/** As `db/queries/members/members.ts`: each member brought its wallet, under which the order was made. */
export const memberOfTopup = {
  findMemberOfTopup: (db, topupId) =>
    statement(db, "find member of top-up", (view) => {
      const row = view.get(tables().topups, topupId);
      if (row === undefined) return null;
      const { memberId: id, chain, walletAddress } = row.order as Topup;
      return { id, chain, safeStatus: null, walletAddress };
    }),
} satisfies Partial<typeof import("#db/queries/members/members.ts")>;

/** As `db/lease.ts`, of these tables. */
export const orderLeases = {
  claimDue: (db, table, { token, limit, seconds = 10 }) =>
    statement(db, `claim ${table}`, (view) => {
      if (table !== "topups" && table !== "withdrawals") throw new Error(`outside of the simulation: claims of ${table}`);
      const due = view.list(tableOf(table), (row) => {
        const isFree = row.leaseUntil === null || row.leaseUntil < view.now;
        return row.dueAt !== null && row.dueAt <= nowOf(view) && isFree && view.isFree(tableOf(table), row.id);
      });
      const taken = due.sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0)).slice(0, limit);
      for (const row of taken) view.put(tableOf(table), { ...row, leaseUntil: view.now + seconds * 1_000, leaseToken: token });
      return taken.map(({ id }) => ({ id, token, partnerId: null }));
    }),
  holdsLease: (tx, table, { id, token }) =>
    statement(tx, "holds lease", (view) => view.get(tableOf(table as FiatTable), id)?.leaseToken === token),
} satisfies Partial<typeof import("#db/lease.ts")>;
