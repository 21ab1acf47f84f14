import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { fromRaw, type Raw } from "#db/columns.ts";
import { among } from "#db/rows.ts";
import { partners } from "#db/schema/partners.ts";
import { settlementBatches } from "#db/schema/settlement-batches.ts";
import { settlements } from "#db/schema/settlements.ts";
import { contains } from "#db/search.ts";
import { layoutOf } from "#db/transaction.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { Walk } from "#domain/page.ts";
import type { Settlement, SettlementStatus } from "#domain/settlement.ts";
import { type BatchShare, type BatchStatus, type SettlementBatch, type TalliedBatch, tallyOf } from "#domain/settlement-batch.ts";
import { toSettlement } from "./settlement-rows.ts";

/**
 * Adds a batch, unless the partner has one under its reference: then it waits until that one is stored or gone, and answers false.
 */
export async function insertBatch(tx: Database, batch: SettlementBatch): Promise<boolean> {
  const added = await tx.insert(settlementBatches).values(batch).onConflictDoNothing().returning({ id: settlementBatches.id });
  return added.length > 0;
}

/** The batch of that reference. */
export async function findBatchByExternalId(db: Database, partnerId: string, externalBatchId: string): Promise<SettlementBatch | null> {
  const { partnerId: owner, externalBatchId: reference } = settlementBatches;
  const [row] = await db
    .select()
    .from(settlementBatches)
    .where(and(eq(owner, partnerId), eq(reference, externalBatchId)));
  return row ?? null;
}

/** Locks a batch until the transaction ends; of this partner where one is named. A change of its items locks it first. */
export async function lockBatch(tx: Database, id: string, partnerId?: string): Promise<SettlementBatch | null> {
  if (partnerId === undefined && layoutOf(tx) === "citus") return await lockOnNode(tx, id);
  const [row] = await tx.select().from(settlementBatches).where(ownedBy(id, partnerId)).for("update");
  return row ?? null;
}

/** On Citus, which locks rows of one partner in a statement. */
async function lockOnNode(tx: Database, id: string): Promise<SettlementBatch | null> {
  const [found] = await tx.select({ partnerId: settlementBatches.partnerId }).from(settlementBatches).where(ownedBy(id, undefined));
  return found === undefined ? null : await lockBatch(tx, id, found.partnerId);
}

/** Writes the change of a locked batch. */
export async function saveBatch(
  tx: Database,
  { id, partnerId, status, callbackUrl, confirmedAt, cancelledAt, completedAt }: SettlementBatch,
): Promise<void> {
  await tx.update(settlementBatches).set({ status, callbackUrl, confirmedAt, cancelledAt, completedAt }).where(ownedBy(id, partnerId));
}

function ownedBy(id: string, partnerId: string | undefined): SQL | undefined {
  return and(eq(settlementBatches.id, id), partnerId === undefined ? undefined : eq(settlementBatches.partnerId, partnerId));
}

/** The items of a batch, in the order in which they were sent. */
export async function listItems(db: Database, { id, partnerId }: Pick<SettlementBatch, "id" | "partnerId">): Promise<Settlement[]> {
  const rows = await db
    .select()
    .from(settlements)
    .where(and(eq(settlements.batchId, id), sql`of_partner(${settlements.partnerId}, ${partnerId})`))
    .orderBy(settlements.id);
  return rows.map(toSettlement);
}

export type BatchFilter = {
  partnerId?: string;
  status?: BatchStatus;
  externalBatchId?: string;
  /** A part of the partner's name for it. */
  search?: string;
};

/** A page of batches with what their items come to, nearest to the place first. */
export async function listBatches(db: Database, filter: BatchFilter, page: Walk): Promise<TalliedBatch[]> {
  const { partnerId, status, externalBatchId, search } = filter;
  const { partnerId: owner, status: state, externalBatchId: reference } = settlementBatches;
  const only = [
    partnerId === undefined ? undefined : eq(owner, partnerId),
    status === undefined ? undefined : eq(state, status),
    externalBatchId === undefined ? undefined : eq(reference, externalBatchId),
    contains(search, [reference]),
  ];
  const rows = await db
    .select({ batch: settlementBatches, shares: SHARES })
    .from(settlementBatches)
    .where(and(...only, beyond(settlementBatches, page, "text")))
    .orderBy(...nearestFirst(settlementBatches, page))
    .limit(page.limit);
  return rows.map(toTallied);
}

export type PendingBatch = { batch: TalliedBatch; partner: { id: string; name: string } };

/** All items of a batch have the same approval state. */
export const AWAITS_DECISION = sql`settlement_batches.status = 'quoted'
  and exists (select from settlements i where i.batch_id = settlement_batches.id
    and of_partner(i.partner_id, settlement_batches.partner_id) and i.status = 'quoted' and i.approval_state = 'pending')`;

/** Batches that await an operator's decision, the longest waiting first. */
export async function listPendingBatches(db: Database, limit: number): Promise<PendingBatch[]> {
  const rows = await db
    .select({ batch: settlementBatches, shares: SHARES, partner: { id: partners.id, name: partners.name } })
    .from(settlementBatches)
    .innerJoin(partners, eq(partners.id, settlementBatches.partnerId))
    .where(AWAITS_DECISION)
    .orderBy(settlementBatches.createdAt, settlementBatches.id)
    .limit(limit);
  return rows.map(({ partner, ...row }) => ({ partner, batch: toTallied(row) }));
}

/** The batch of that id, of this partner where one is named, with what its items come to. */
export async function findBatch(db: Database, id: string, partnerId?: string): Promise<TalliedBatch | null> {
  const [row] = await db.select({ batch: settlementBatches, shares: SHARES }).from(settlementBatches).where(ownedBy(id, partnerId));
  return row === undefined ? null : toTallied(row);
}

type ShareRow = Raw<Omit<BatchShare, "counts">> & { status: SettlementStatus; items: number };

const SHARES = sql<ShareRow[]>`(select coalesce(jsonb_agg(to_jsonb(g)), '[]') from (
  select i.status, i.approval_state as "approvalState", i.source_currency as "sourceCurrency", i.destination_currency as "destinationCurrency",
    i.token_decimals as "tokenDecimals", count(*)::int as items, min(i.expires_at) as "expiresAt", sum(i.source_amount_minor)::text as "sourceAmountMinor",
    sum(i.destination_amount_base)::text as "destinationAmountBase", sum(i.platform_fee_base)::text as "platformFeeBase"
  from settlements i where i.batch_id = settlement_batches.id and of_partner(i.partner_id, settlement_batches.partner_id)
  group by 1, 2, 3, 4, 5) as g)`;

function toTallied({ batch, shares }: { batch: SettlementBatch; shares: ShareRow[] }): TalliedBatch {
  const integers = ["sourceAmountMinor", "destinationAmountBase", "platformFeeBase"] as const;
  const read = shares.map(({ status, items, ...share }) => ({
    ...fromRaw<Omit<BatchShare, "counts">>(share, { instants: ["expiresAt"], integers }),
    counts: { [status]: items },
  }));
  return { ...batch, ...tallyOf(read) };
}

/** Those of the references that settlements of the partner have already. */
export async function listTakenReferences(db: Database, partnerId: string, references: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ reference: string }>(sql`
    select asked.reference from jsonb_array_elements_text(${JSON.stringify(references)}::text::jsonb) as asked(reference)
    where exists (select from settlements s where s.partner_id = ${partnerId}::uuid and s.external_tx_id = asked.reference)`);
  return new Set(rows.map(({ reference }) => reference));
}

type BatchKey = Pick<SettlementBatch, "id" | "partnerId">;

/** Locks those of the batches that are under way, in the order of their ids. */
export async function lockUnderWay(tx: Database, batches: readonly BatchKey[]): Promise<SettlementBatch[]> {
  if (layoutOf(tx) === "citus") {
    const locked: SettlementBatch[] = [];
    for (const { id, partnerId } of batches.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const batch = await lockBatch(tx, id, partnerId);
      if (batch?.status === "processing") locked.push(batch);
    }
    return locked;
  }
  const ids = batches.map(({ id }) => id);
  return await tx
    .select()
    .from(settlementBatches)
    .where(and(among(settlementBatches.id, ids), eq(settlementBatches.status, "processing")))
    .orderBy(settlementBatches.id)
    .for("update");
}

/** Those of the locked batches of which every item has ended. Asked once they are locked: then it sees what others have ended. */
export async function listEnded(tx: Database, locked: readonly BatchKey[]): Promise<Set<string>> {
  const ended = new Set<string>();
  for (const { id, partnerId } of locked) {
    const open = await tx.execute(sql`
      select 1 from settlements s where s.batch_id = ${id} and of_partner(s.partner_id, ${partnerId}::uuid)
        and s.status in ('quoted', 'processing') limit 1`);
    if (open.length === 0) ended.add(id);
  }
  return ended;
}
