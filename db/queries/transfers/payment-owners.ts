import { type Column, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { toTopup } from "#db/queries/fiat/topups.ts";
import { toWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { toDeployment } from "#db/queries/safes/safe-deployments.ts";
import { toSettlement } from "#db/queries/settlements/settlement-rows.ts";
import { among } from "#db/rows.ts";
import { topups, withdrawals } from "#db/schema/fiat-orders.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { safeDeployments } from "#db/schema/safe-deployments.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { settlements } from "#db/schema/settlements.ts";
import { layoutOf } from "#db/transaction.ts";
import type { PaymentOwner } from "#domain/owed-payment.ts";
import type { Transfer, TransferPurpose } from "#domain/transfer.ts";
import { listTreasuryWithdrawals } from "./treasury-withdrawals.ts";

type Owned = Pick<Transfer, "id" | "purpose" | "ownerId" | "partnerId">;

/**
 * Each payment's owner, by the payment's id: one statement per purpose. Omits a payment whose owner does not exist or is another partner's,
 * and what has none: a filler, a packed transaction, an allowance.
 */
export async function findPaymentOwners(db: Database, payments: readonly Owned[]): Promise<Map<string, PaymentOwner>> {
  const byPurpose = Map.groupBy(payments, ({ purpose }) => purpose);
  const found = new Map<string, PaymentOwner>();
  for (const [purpose, some] of byPurpose) {
    const owners = await READERS[purpose](db, some);
    for (const { id, ownerId } of some) {
      const owner = owners.get(ownerId);
      if (owner !== undefined) found.set(id, owner);
    }
  }
  return found;
}

type Owners = Map<string, PaymentOwner>;

const READERS: Record<TransferPurpose, (db: Database, payments: readonly Owned[]) => Promise<Owners>> = {
  settlement: readSettlements,
  topup: readTopups,
  sweep: (db, payments) => readWithdrawals(db, payments, "sweep"),
  return: (db, payments) => readWithdrawals(db, payments, "return"),
  deployment: readDeployments,
  filler: async () => new Map(),
  pack: async () => new Map(),
  allowance: async () => new Map(),
  treasury_withdrawal: readTreasuryWithdrawals,
};

/** The owners' ids with their partners, as rows of `asked`: an owner is only looked up among its partner's rows. */
function askedOf(payments: readonly Owned[]): SQL {
  const asked = JSON.stringify(payments.map(({ ownerId: id, partnerId }) => ({ id, partner_id: partnerId })));
  return sql`jsonb_to_recordset(${asked}::text::jsonb) as asked(id text, partner_id uuid)`;
}

function isAsked({ id, partnerId }: { id: Column; partnerId: Column }): SQL {
  return sql`${id} = asked.id and of_partner(${partnerId}, asked.partner_id)`;
}

async function readSettlements(db: Database, payments: readonly Owned[]): Promise<Owners> {
  if (layoutOf(db) === "citus") return await readFromNodes(db, payments);
  const ofQuote = sql`${settlementQuotes.settlementId} = ${settlements.id} and ${settlementQuotes.version} = ${settlements.quoteVersion}
    and of_partner_or_unsaid(${settlementQuotes.partnerId}, ${settlements.partnerId})`;
  const rows = await db
    .select({ ...owed(sql`${settlements.partnerId}`), isConfirmed: IS_CONFIRMED })
    .from(settlements)
    .innerJoin(askedOf(payments), isAsked(settlements))
    .leftJoin(settlementQuotes, ofQuote)
    .leftJoin(pairTerms, eq(pairTerms.id, settlementQuotes.pairTermsId));
  return new Map(rows.map((row) => [row.settlement.id, toOwner(row)]));
}

type OwnerRow = {
  settlement: typeof settlements.$inferSelect;
  quote: typeof settlementQuotes.$inferSelect | null;
  terms: typeof pairTerms.$inferSelect | null;
  given: number;
  needed: number;
  isConfirmed: boolean;
};

function toOwner({ settlement, quote, terms, given, needed, isConfirmed }: OwnerRow): PaymentOwner {
  const kept = quote === null || terms === null ? null : { quote, terms };
  return { purpose: "settlement", settlement: toSettlement(settlement), kept, approvals: { given, needed }, isConfirmed };
}

/** On Citus: partner by partner, each from its node, and from the audit log what was confirmed. */
async function readFromNodes(db: Database, payments: readonly Owned[]): Promise<Owners> {
  const owners: Owners = new Map();
  for (const [partnerId, theirs] of Map.groupBy(payments, (payment) => payment.partnerId)) {
    const partner = sql`${partnerId}::uuid`;
    const ids = sql`any(array(select jsonb_array_elements_text(${JSON.stringify(theirs.map(({ ownerId }) => ownerId))}::text::jsonb)))`;
    const rows = await db
      .select(owed(partner))
      .from(settlements)
      .leftJoin(
        settlementQuotes,
        sql`${settlementQuotes.settlementId} = ${settlements.id} and ${settlementQuotes.version} = ${settlements.quoteVersion}
          and ${settlementQuotes.partnerId} = ${partner}`,
      )
      .leftJoin(pairTerms, eq(pairTerms.id, settlementQuotes.pairTermsId))
      .where(sql`${settlements.partnerId} = ${partner} and ${settlements.id} = ${ids}`);
    const entries = await db.execute<{ id: string }>(sql`
      select object_id as id from audit_entries where object_id = ${ids} and action = 'settlement.confirmed' and partner_id = ${partner}`);
    const confirmed = new Set(entries.map(({ id }) => id));
    for (const row of rows) owners.set(row.settlement.id, toOwner({ ...row, isConfirmed: confirmed.has(row.settlement.id) }));
  }
  return owners;
}

/** What the signer compares a settlement's payment with. */
const owed = (partner: SQL) => ({
  settlement: settlements,
  quote: settlementQuotes,
  terms: pairTerms,
  given: givenOf(partner),
  needed: neededOf(partner),
});
const givenOf = (partner: SQL) => sql<number>`(select count(*)::int from settlement_approvals a
  where a.settlement_id = ${settlements.id} and of_partner_or_unsaid(a.partner_id, ${partner}))`;
/** What the items of its batch and pair come to: all of them, because they are decided together. */
const sumOf = (partner: SQL) => sql`(select sum(i.source_amount_minor) from settlements i
  where i.batch_id = ${settlements.batchId} and of_partner(i.partner_id, ${partner}) and i.source_currency = ${settlements.sourceCurrency}
    and i.destination_currency = ${settlements.destinationCurrency} and i.chain = ${settlements.chain})`;
/** By the terms of the first quote, whatever they are today, for its own amount and its batch's sum, and by the policy of that moment. */
const neededOf = (
  partner: SQL,
) => sql<number>`coalesce((select case when ${settlements.approvalState} is null and d.approvals is null then 0
    when d.approvals >= 2 then d.approvals
    when ${settlements.sourceAmountMinor} > t.two_approvals_above_minor then 2
    when t.batch_maximum_source_minor is not null and t.two_approvals_above_minor is not null and ${settlements.batchId} is not null
      and ${sumOf(partner)} > t.two_approvals_above_minor then 2
    else 1 end
  from settlement_quotes q join pair_terms t on t.id = q.pair_terms_id
    left join approval_demands d on d.settlement_id = q.settlement_id and of_partner(d.partner_id, ${partner})
  where q.settlement_id = ${settlements.id} and q.version = 1 and of_partner_or_unsaid(q.partner_id, ${partner})), 1)::int`;
const IS_CONFIRMED = sql<boolean>`exists (select from audit_entries e where e.object_id = ${settlements.id}
  and e.action = 'settlement.confirmed' and of_partner(e.partner_id, ${settlements.partnerId}))`;

async function readTopups(db: Database, payments: readonly Owned[]): Promise<Owners> {
  const isCollected = sql<boolean>`exists (select from provider_events e
    where e.order_id = ${topups.id} and e.status = 'succeeded' and e.effect = 'applied')`;
  const rows = await db
    .select({ order: topups, terms: pairTerms, isCollected })
    .from(topups)
    .innerJoin(askedOf(payments), isAsked(topups))
    .innerJoin(pairTerms, eq(pairTerms.id, topups.pairTermsId));
  return new Map(rows.map(({ order, terms, ...rest }) => [order.id, { purpose: "topup", topup: toTopup(order), terms, ...rest }]));
}

async function readWithdrawals(db: Database, payments: readonly Owned[], purpose: "sweep" | "return"): Promise<Owners> {
  const rows = await db
    .select({ order: withdrawals, terms: pairTerms })
    .from(withdrawals)
    .innerJoin(askedOf(payments), isAsked(withdrawals))
    .innerJoin(pairTerms, eq(pairTerms.id, withdrawals.pairTermsId));
  return new Map(rows.map(({ order, terms }) => [order.id, { purpose, withdrawal: toWithdrawal(order), terms }]));
}

async function readDeployments(db: Database, payments: readonly Owned[]): Promise<Owners> {
  const ids = payments.map(({ ownerId }) => ownerId);
  const rows = await db.select().from(safeDeployments).where(among(safeDeployments.id, ids));
  return new Map(rows.map((row) => [row.id, { purpose: "deployment", deployment: toDeployment(row) }]));
}

async function readTreasuryWithdrawals(db: Database, payments: readonly Owned[]): Promise<Owners> {
  const found = await listTreasuryWithdrawals(
    db,
    payments.map(({ ownerId }) => ownerId),
  );
  return new Map(found.map((withdrawal) => [withdrawal.id, { purpose: "treasury_withdrawal", withdrawal }]));
}
