import { and, eq, gte, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type AuditValues, auditParts, auditValues, type DatedEntry, insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { among, updateRows } from "#db/rows.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { settlements } from "#db/schema/settlements.ts";
import { columnsOf, statement, written } from "#db/statement.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { Walk } from "#domain/page.ts";
import type { ApprovalState, Quote, Settlement, SettlementAsShown, SettlementStatus } from "#domain/settlement.ts";
import type { Waiting } from "#domain/transfer.ts";
import { standingOf, toWaiting, type WaitRow, waitOf } from "./waiting.ts";

type Row = typeof settlements.$inferSelect;
type Written = typeof settlements.$inferInsert & AuditValues;

const QUOTE = [
  ...(["exchangeRate", "midRate", "spreadBps", "rateSource", "rateAsOf", "pairTermsId", "grossBase", "platformFeeBase"] as const),
  ...(["destinationAmountBase", "pricedAt", "expiresAt"] as const),
] as const;
/** What no change ever touches. */
const FIXED = [
  ...(["partnerId", "apiKeyId", "externalMerchantId", "sourceAmountMinor", "sourceCurrency", "destinationCurrency", "chain"] as const),
  ...(["walletAddress", "tokenAddress", "tokenDecimals", "creationCallbackUrl", "createdAt"] as const),
] as const;
/** What a change may touch. */
const LIVING = [
  ...(["status", "approvalState", "externalTxId", "callbackUrl", "confirmedAt", "cancelledAt", "approvalDecidedAt"] as const),
  ...(["rejectionReason", "txHash", "executedAt", "failureReason", "quoteVersion"] as const),
  ...QUOTE,
] as const;

/** Adds a new settlement with the first version of its quote and the audit entry of its making: one statement. */
export async function insertSettlement(db: Database, settlement: Settlement, entry: DatedEntry): Promise<void> {
  await insertion(db, { ...toRow(settlement), ...auditValues(entry) });
}

const insertion = statement<Written, Record<string, never>>((told) => {
  const row = written(told, settlements, ["id", ...FIXED, ...LIVING]);
  const quote = written(told, settlementQuotes, QUOTE).names;
  return sql`
    with made as (insert into settlements (${row.names}) values (${row.values}) returning *),
    quoted as (insert into settlement_quotes (settlement_id, version, ${quote}) select id, quote_version, ${quote} from made),
    ${auditParts(told)} select`;
});

/** Keeps another version of the price. Earlier versions stay as they were. */
export async function insertQuote(db: Database, settlementId: string, quote: Quote): Promise<void> {
  await db.insert(settlementQuotes).values({ settlementId, ...quote });
}

/** Writes settlements that are locked, each with the audit entry of its change: one alone in one statement. */
export async function saveSettlements(db: Database, changed: readonly { settlement: Settlement; entry: DatedEntry }[]): Promise<void> {
  const [first, ...others] = changed;
  if (first === undefined) return;
  if (others.length === 0) return void (await change(db, { ...toRow(first.settlement), ...auditValues(first.entry) }));
  await updateRows(
    db,
    settlements,
    changed.map(({ settlement }) => toRow(settlement)),
  );
  await insertAuditEntries(
    db,
    changed.map(({ entry }) => entry),
  );
}

const change = statement<Written, Record<string, never>>(
  (told) => sql`
    with changed as (update settlements set ${written(told, settlements, LIVING).changes} where id = ${told("id")}),
    ${auditParts(told)} select`,
);

/** The settlement of that id, of this partner where one is named: a foreign id finds nothing. */
export async function findSettlement(db: Database, id: string, partnerId?: string): Promise<Settlement | null> {
  const [row] = await db.select().from(settlements).where(ownedBy(id, partnerId));
  return row ? toSettlement(row) : null;
}

/** The settlement of that id and partner with what is shown beside it, in one statement. */
export async function findSettlementAsShown(db: Database, id: string, partnerId: string): Promise<SettlementAsShown | null> {
  const [found] = await shown(db, { id, partnerId });
  if (found === undefined) return null;
  const { waiting, hasUndelivered, ...row } = found;
  return { settlement: toSettlement(row), waiting: waiting && toWaiting(waiting), hasUndelivered };
}

type ShownRow = Row & { waiting: WaitRow | null; hasUndelivered: boolean };

const shown = statement<{ id: string; partnerId: string }, ShownRow>(
  (told) => sql`
    select ${columnsOf(settlements)}, ${waitOf(told("id"))} as waiting, ${undelivered(told("id"))} as "hasUndelivered"
    from settlements where id = ${told("id")} and partner_id = ${told("partnerId")}::uuid`,
  settlements,
);

const undelivered = (id: SQL) => sql`exists (select 1 from callbacks c where c.subject_id = ${id} and c.state = 'undelivered')`;

/** A settlement whose row is held until the transaction ends, with what its changes are judged by, read after the lock was gained. */
export type LockedSettlement = {
  settlement: Settlement;
  /** Business time. */
  now: Date;
  /** The partner has used the reference on another settlement. */
  referenceIsTaken: boolean;
  hasUndelivered: boolean;
  /** Why a payment that is owed from now on would not move. */
  standing: Waiting | null;
};

/** Holds the settlement of that id, of this partner where one is named: one statement. */
export async function lockSettlement(
  db: Database,
  id: string,
  { partnerId = null, reference = null }: { partnerId?: string | null; reference?: string | null } = {},
): Promise<LockedSettlement | null> {
  const [held] = await lock(db, { id, partnerId, reference });
  if (held === undefined) return null;
  const { now, standing, referenceIsTaken, hasUndelivered, ...row } = held;
  return { settlement: toSettlement(row), now: new Date(now), standing: standing && toWaiting(standing), referenceIsTaken, hasUndelivered };
}

type LockedRow = Row & { now: string; standing: WaitRow | null; referenceIsTaken: boolean; hasUndelivered: boolean };

// What stands outside of the `with` is read once the row is held.
const lock = statement<{ id: string; partnerId: string | null; reference: string | null }, LockedRow>(
  (told) => sql`
    with held as (select * from settlements where id = ${told("id")}
      and (${told("partnerId")}::uuid is null or partner_id = ${told("partnerId")}::uuid) for update)
    select ${columnsOf(settlements)}, business_now() as now, ${standingOf()} as standing, ${undelivered(sql`settlements.id`)} as "hasUndelivered",
      exists (select 1 from settlements other where other.partner_id = settlements.partner_id
        and other.external_tx_id = ${told("reference")}::text) as "referenceIsTaken"
    from held as settlements`,
  settlements,
);
/** Locks several, in the order of their ids. */
export async function lockSettlements(db: Database, ids: readonly string[]): Promise<Settlement[]> {
  const rows = await db.select().from(settlements).where(among(settlements.id, ids)).orderBy(settlements.id).for("update");
  return rows.map(toSettlement);
}

export type SettlementFilter = {
  partnerId?: string;
  status?: SettlementStatus;
  /** `null` asks for ordinary settlements. */
  approvalState?: ApprovalState | null;
  externalTxId?: string;
  externalMerchantId?: string;
  chain?: string;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
};

/** A page of settlements, nearest to the place first. */
export async function listSettlements(db: Database, filter: SettlementFilter, page: Walk): Promise<Settlement[]> {
  const rows = await db
    .select()
    .from(settlements)
    .where(and(...conditions(filter), beyond(settlements, page, "text")))
    .orderBy(...nearestFirst(settlements, page))
    .limit(page.limit);
  return rows.map(toSettlement);
}

/** Beyond so many of the newest nobody looks for a URL: quotes without one may be many. */
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

/** Ids of settlements that have awaited a decision since before `before`, oldest first. */
export async function listOverdueApprovals(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.status, "quoted"), eq(settlements.approvalState, "pending"), lte(settlements.createdAt, before)))
    .orderBy(settlements.createdAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

function ownedBy(id: string, partnerId: string | undefined): SQL | undefined {
  return and(eq(settlements.id, id), partnerId === undefined ? undefined : eq(settlements.partnerId, partnerId));
}

function conditions(filter: SettlementFilter): (SQL | undefined)[] {
  return [
    filter.partnerId === undefined ? undefined : eq(settlements.partnerId, filter.partnerId),
    filter.status === undefined ? undefined : eq(settlements.status, filter.status),
    filter.approvalState === undefined
      ? undefined
      : filter.approvalState === null
        ? isNull(settlements.approvalState)
        : eq(settlements.approvalState, filter.approvalState),
    filter.externalTxId === undefined ? undefined : eq(settlements.externalTxId, filter.externalTxId),
    filter.externalMerchantId === undefined ? undefined : eq(settlements.externalMerchantId, filter.externalMerchantId),
    filter.chain === undefined ? undefined : eq(settlements.chain, filter.chain),
    filter.createdFrom === undefined ? undefined : gte(settlements.createdAt, filter.createdFrom),
    filter.createdTo === undefined ? undefined : lt(settlements.createdAt, filter.createdTo),
  ];
}

function toRow(settlement: Settlement) {
  const { quote, ...rest } = settlement;
  const { version, ...price } = quote;
  return { ...rest, quoteVersion: version, ...price };
}

export function toSettlement(row: Row): Settlement {
  const {
    quoteVersion,
    exchangeRate,
    midRate,
    spreadBps,
    rateSource,
    rateAsOf,
    pairTermsId,
    grossBase,
    platformFeeBase,
    destinationAmountBase,
    pricedAt,
    expiresAt,
    ...rest
  } = row;
  const quote: Quote = {
    version: quoteVersion,
    exchangeRate,
    midRate,
    spreadBps,
    rateSource,
    rateAsOf,
    pairTermsId,
    grossBase,
    platformFeeBase,
    destinationAmountBase,
    pricedAt,
    expiresAt,
  };
  return { ...rest, quote };
}
