import { and, eq, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { batched } from "#db/batched.ts";
import type { Database } from "#db/client.ts";
import { settlements } from "#db/schema/settlements.ts";
import { columnsOf, type Params, statement } from "#db/statement.ts";
import { layoutOf } from "#db/transaction.ts";
import type { Settlement, SettlementAsShown } from "#domain/settlement.ts";
import type { Waiting } from "#domain/transfer.ts";
import { byPartner, type ToLock } from "./lock-by-partner.ts";
import { type Row, toSettlement } from "./settlement-rows.ts";
import { listOpenWaits, listWaits, openWaitOf, toWaiting, type WaitRow, waitOf } from "./waiting.ts";

/** The settlement of that id, of this partner where one is named: a foreign id finds nothing. */
export async function findSettlement(db: Database, id: string, partnerId?: string): Promise<Settlement | null> {
  const [row] = await db.select().from(settlements).where(ownedBy(id, partnerId));
  return row ? toSettlement(row) : null;
}

/** The settlement of that id and partner with related data, in one statement, also for several of a partner at once. */
export async function findSettlementAsShown(db: Database, id: string, partnerId: string): Promise<SettlementAsShown | null> {
  return await findTogether(db, { id, partnerId });
}

type ShownRow = Row & { waiting: WaitRow | null; hasUndelivered: boolean };

const findTogether = batched(
  ({ partnerId }: { id: string; partnerId: string }) => partnerId,
  async (db, asked) => {
    const rows = await readShown(db, { partnerId: asked[0].partnerId, ids: JSON.stringify(asked.map(({ id }) => id)) });
    const found = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ id }) => asShown(found.get(id)));
  },
);

/** Several of a partner. Unknown ones are omitted. */
export async function listSettlementsAsShown(db: Database, partnerId: string, ids: readonly string[]): Promise<SettlementAsShown[]> {
  const rows = await readShown(db, { partnerId, ids: JSON.stringify(ids) });
  return rows.flatMap((row) => asShown(row) ?? []);
}

function asShown(found: ShownRow | undefined): SettlementAsShown | null {
  if (found === undefined) return null;
  const { waiting, hasUndelivered, ...row } = found;
  return { settlement: toSettlement(row), waiting: waiting && toWaiting(waiting), hasUndelivered };
}

// Found by id, then checked for the partner: with both as columns, the planner may scan all the partner's rows.
const shown = statement<{ ids: string; partnerId: string }, ShownRow>(
  (param) => sql`
    select ${columnsOf(settlements)}, ${waitOf(sql`settlements.id`)} as waiting, ${undelivered()} as "hasUndelivered"
    from jsonb_array_elements_text(${param("ids")}::text::jsonb) as asked(id)
    cross join lateral (select * from settlements where id = asked.id and of_partner(partner_id, ${param("partnerId")}::uuid) limit 1) as settlements`,
  settlements,
);

type Shown = { ids: string; partnerId: string };

/** On Citus in two statements: the partner's rows on their node, and what their payments wait for. */
async function readShown(db: Database, asked: Shown): Promise<ShownRow[]> {
  if (layoutOf(db) !== "citus") return await shown(db, asked);
  const rows = await shownOfPartner(db, asked);
  const waits = await listWaits(
    db,
    rows.filter(({ status }) => status === "processing").map(({ id }) => id),
  );
  return rows.map((row) => {
    const wait = waits.get(row.id);
    return { ...row, waiting: wait === undefined ? null : { kind: wait.kind, since: wait.since.toISOString() } };
  });
}

const shownOfPartner = statement<Shown, Omit<ShownRow, "waiting">>((param) => {
  const partner = sql`${param("partnerId")}::uuid`;
  return sql`
    select ${columnsOf(settlements)}, ${undelivered(partner)} as "hasUndelivered" from settlements
    where id = any(array(select jsonb_array_elements_text(${param("ids")}::text::jsonb))) and of_partner(partner_id, ${partner})`;
}, settlements);

/** As `exists`, evaluated per row: PostgreSQL may evaluate a plain `exists` over many rows by scanning everything once. */
const isAny = (rows: SQL) => sql`(select true from ${rows} limit 1) is not null`;

const undelivered = (partner = sql`settlements.partner_id`) =>
  isAny(sql`callbacks c where c.subject_id = settlements.id and of_partner(c.partner_id, ${partner}) and c.state = 'undelivered'`);

/** A locked settlement with the facts for judging its changes, read after the lock was acquired. */
export type LockedSettlement = {
  settlement: Settlement;
  /** Business time. */
  now: Date;
  /** The partner has used the reference on another settlement. */
  referenceIsTaken: boolean;
  hasUndelivered: boolean;
  /** Why a payment that is owed from now on would not move. */
  openWait: Waiting | null;
};

/** Locks settlements, without duplicates, in the order of their ids: one statement. Unknown ones are omitted. */
export async function lockForChange(db: Database, asked: readonly ToLock[]): Promise<Map<string, LockedSettlement>> {
  const rows = await lock(db, asked);
  // Each row's instant is one after its own lock was gained: the last is one for all.
  const now = new Date(Math.max(...rows.map((row) => Date.parse(row.now))));
  return new Map(
    rows.map(({ now: _, openWait, referenceIsTaken, hasUndelivered, ...row }) => [
      row.id,
      { settlement: toSettlement(row), now, openWait: openWait && toWaiting(openWait), referenceIsTaken, hasUndelivered },
    ]),
  );
}

async function lock(db: Database, asked: readonly ToLock[]): Promise<LockedRow[]> {
  const [first, ...others] = asked;
  if (first?.partnerId !== undefined && others.length === 0) {
    const { id, partnerId, reference = null } = first;
    return await lockOnNode(db, { id, partnerId, reference });
  }
  if (layoutOf(db) === "citus") return await byPartner(db, asked, (theirs, partnerId) => lockManyOnNode(db, theirs, partnerId));
  const hold = asked.every(({ partnerId }) => partnerId !== undefined) ? lockOfPartners : lockOfAny;
  return await hold(db, { asked: toAsked(asked) });
}

/** One of a partner. */
async function lockOnNode(db: Database, asked: ToLockOne): Promise<LockedRow[]> {
  const rows = await lockOne(db, asked);
  return layoutOf(db) === "citus" ? await withOpenWaits(db, rows) : rows;
}

async function lockManyOnNode(db: Database, asked: readonly ToLock[], partnerId: string): Promise<LockedRow[]> {
  return await withOpenWaits(db, await lockOfPartner(db, { asked: toAsked(asked), partnerId }));
}

/** On Citus the rows are on a node, and halts are the coordinator's: those are read once the rows are locked. */
async function withOpenWaits(db: Database, rows: readonly LockedRow[]): Promise<LockedRow[]> {
  const waits = await listOpenWaits(db, rows);
  return rows.map((row) => ({ ...row, openWait: waits.get(row.id) ?? null }));
}

type LockedRow = Row & { now: string; openWait: WaitRow | null; referenceIsTaken: boolean; hasUndelivered: boolean };

function toAsked(asked: readonly ToLock[]): string {
  return JSON.stringify(asked.map(({ id, partnerId, reference }) => ({ id, partner_id: partnerId, reference })));
}

const askedOf = <Values extends { asked: string }>(param: Params<Values>) =>
  sql`select * from jsonb_to_recordset(${param("asked")}::text::jsonb) as a(id text, partner_id uuid, reference text) order by id`;
const OF_PARTNERS = sql`of_partner(s.partner_id, asked.partner_id)`;
/** For callers who decide on any partner's. */
const OF_ANY = sql`(asked.partner_id is null or s.partner_id = asked.partner_id)`;

// Parts outside of the `with` are read once the row is locked.
const locking = (held: SQL, partner = sql`settlements.partner_id`, openWait = openWaitOf()) => sql`
    with held as (${held})
    select ${columnsOf(settlements)}, business_now() as now, ${openWait} as "openWait", ${undelivered(partner)} as "hasUndelivered",
      ${isAny(sql`settlements other where other.partner_id = ${partner} and other.external_tx_id = settlements.reference`)} as "referenceIsTaken"
    from held as settlements`;
const heldOf = (asked: SQL, isTheirs: SQL) => sql`select settlements.*, asked.reference from (${asked}) as asked
      cross join lateral (select * from settlements s where s.id = asked.id and ${isTheirs} for update) as settlements`;
const lockOfPartners = statement<{ asked: string }, LockedRow>((param) => locking(heldOf(askedOf(param), OF_PARTNERS)), settlements);
const lockOfAny = statement<{ asked: string }, LockedRow>((param) => locking(heldOf(askedOf(param), OF_ANY)), settlements);
// Each of its tables says the partner's value, by which a distributed engine finds the node.
type ToLockOne = { id: string; partnerId: string; reference: string | null };
const lockOne = statement<ToLockOne, LockedRow>((param, layout) => {
  const partner = sql`${param("partnerId")}::uuid`;
  const held = sql`select s.*, ${param("reference")}::text as reference from settlements s
      where s.id = ${param("id")} and of_partner(s.partner_id, ${partner}) for update`;
  return locking(held, partner, layout === "citus" ? sql`null` : openWaitOf());
}, settlements);

type OfPartner = { asked: string; partnerId: string };
const lockOfPartner = statement<OfPartner, LockedRow>((param) => {
  const partner = sql`${param("partnerId")}::uuid`;
  return locking(heldOf(askedOf(param), sql`of_partner(s.partner_id, ${partner})`), partner, sql`null`);
}, settlements);

/** Locks several in the order of their ids, without reading more. */
export async function lockSettlements(db: Database, asked: readonly Pick<ToLock, "id" | "partnerId">[]): Promise<Settlement[]> {
  if (layoutOf(db) === "citus") {
    const rows = await byPartner(db, asked, (theirs, partnerId) => holdOfPartner(db, { asked: toAsked(theirs), partnerId }));
    return rows.map(toSettlement);
  }
  const hold = asked.every(({ partnerId }) => partnerId !== undefined) ? holdOfPartners : holdOfAny;
  return (await hold(db, { asked: toAsked(asked) })).map(toSettlement);
}

const holdWhere = (isTheirs: SQL) =>
  statement<{ asked: string }, Row>(
    (param) => sql`
    select ${columnsOf(settlements)} from (${askedOf(param)}) as asked
    cross join lateral (select * from settlements s where s.id = asked.id and ${isTheirs} for update) as settlements`,
    settlements,
  );
const holdOfPartner = statement<OfPartner, Row>(
  (param) => sql`
    select ${columnsOf(settlements)} from settlements
    where id in (select asked.id from (${askedOf(param)}) as asked) and of_partner(partner_id, ${param("partnerId")}::uuid) order by id for update`,
  settlements,
);
const holdOfPartners = holdWhere(OF_PARTNERS);
const holdOfAny = holdWhere(OF_ANY);

/** Only this many of the newest are searched for a URL: there may be many quotes without one. */
const NEWEST_WITH_URL = 1_000;

/** The callback URL of the partner's newest settlement that has one. */
export async function findNewestCallbackUrl(db: Database, partnerId: string): Promise<string | null> {
  const [row] = await db.execute<{ url: string }>(sql`
    select url from (
      select coalesce(callback_url, creation_callback_url) as url, created_at, id from settlements
      where partner_id = ${partnerId} order by created_at desc, id desc limit ${NEWEST_WITH_URL}
    ) newest where url is not null order by created_at desc, id desc limit 1`);
  return row?.url ?? null;
}

/** Ids of settlements on their own that have awaited a decision since before `before`, oldest first. */
export async function listOverdueApprovals(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(OVERDUE, lte(settlements.createdAt, before), isNull(settlements.batchId)))
    .orderBy(settlements.createdAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** The same of batches, which are decided as one. */
export async function listOverdueBatches(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: settlements.batchId })
    .from(settlements)
    .where(and(OVERDUE, lte(settlements.createdAt, before), isNotNull(settlements.batchId)))
    .groupBy(settlements.batchId)
    .orderBy(sql`min(${settlements.createdAt})`)
    .limit(limit);
  return rows.flatMap((row) => row.id ?? []);
}

const OVERDUE = and(eq(settlements.status, "quoted"), eq(settlements.approvalState, "pending"));

function ownedBy(id: string, partnerId: string | undefined): SQL | undefined {
  return and(eq(settlements.id, id), partnerId === undefined ? undefined : eq(settlements.partnerId, partnerId));
}
