import { and, eq, gte, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { settlements } from "#db/schema/settlements.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { Walk } from "#domain/page.ts";
import type { ApprovalState, Quote, Settlement, SettlementStatus } from "#domain/settlement.ts";
import type { Waiting } from "#domain/transfer.ts";
import { toWaiting, waitOf } from "./waiting.ts";

type Row = typeof settlements.$inferSelect;

/** Adds a new settlement together with the first version of its quote, in one statement. */
export async function insertSettlement(db: Database, settlement: Settlement): Promise<void> {
  const made = db.$with("made").as(db.insert(settlements).values(toRow(settlement)).returning({ id: settlements.id }));
  await db
    .with(made)
    .insert(settlementQuotes)
    .values({ settlementId: settlement.id, ...settlement.quote });
}

/** Keeps another version of the price. Earlier versions stay as they were. */
export async function insertQuote(db: Database, settlementId: string, quote: Quote): Promise<void> {
  await db.insert(settlementQuotes).values({ settlementId, ...quote });
}

/** Writes a settlement that {@link lockSettlement} has locked. */
export async function saveSettlement(db: Database, settlement: Settlement): Promise<void> {
  const { id, ...changed } = toRow(settlement);
  await db.update(settlements).set(changed).where(eq(settlements.id, id));
}

/** The settlement of that id, of this partner where one is named: a foreign id finds nothing. */
export async function findSettlement(db: Database, id: string, partnerId?: string): Promise<Settlement | null> {
  const [row] = await db.select().from(settlements).where(ownedBy(id, partnerId));
  return row ? toSettlement(row) : null;
}

/** What is shown of a settlement beside itself: why its payment does not move, and whether callbacks about it did not come home. */
export type SettlementAsShown = { settlement: Settlement; waiting: Waiting | null; hasUndelivered: boolean };

/** The settlement of that id and partner with what is shown beside it, in one statement. */
export async function findSettlementAsShown(db: Database, id: string, partnerId: string): Promise<SettlementAsShown | null> {
  const undelivered = sql<boolean>`exists (select 1 from callbacks c where c.subject_id = ${id} and c.state = 'undelivered')`;
  const [row] = await db
    .select({ settlement: settlements, waiting: waitOf(id), hasUndelivered: undelivered })
    .from(settlements)
    .where(ownedBy(id, partnerId));
  if (row === undefined) return null;
  const { settlement, waiting, hasUndelivered } = row;
  return { settlement: toSettlement(settlement), waiting: waiting === null ? null : toWaiting(waiting), hasUndelivered };
}

/** As {@link findSettlement}, and holds the row until the transaction ends. */
export async function lockSettlement(db: Database, id: string, partnerId?: string): Promise<Settlement | null> {
  const [row] = await db.select().from(settlements).where(ownedBy(id, partnerId)).for("update");
  return row ? toSettlement(row) : null;
}

/** Whether the partner has used this reference on another settlement. */
export async function externalTxIdIsTaken(db: Database, partnerId: string, externalTxId: string): Promise<boolean> {
  const rows = await db
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.partnerId, partnerId), eq(settlements.externalTxId, externalTxId)))
    .limit(1);
  return rows.length > 0;
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

function toRow(settlement: Settlement): typeof settlements.$inferInsert {
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
