import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { providerEvents } from "#db/schema/fiat-provider.ts";
import { providerScope } from "#domain/fiat.ts";
import { firstId } from "#domain/ids.ts";
import type { StatedOrder } from "#domain/provider-statement.ts";

type Row = Omit<Record<keyof StatedOrder, string>, "ambiguous" | "reference"> & { ambiguous: boolean; reference: string | null };

/** Every order as it may appear in a statement. */
const STATED = sql`
  select id, 'withdrawal' as kind, provider, amount_minor::text as amount_minor, currency, provider_reference as reference,
    case when step = 'paid' then 'succeeded' when step in ('returning', 'returned', 'unreturned') then 'failed'
      when step = 'paying_out' and (given_at is not null or accepted_at is not null) then 'open' else 'never_given' end as recorded,
    ambiguous_since is not null as ambiguous from withdrawals
  union all
  select id, 'topup', provider, amount_minor::text, currency, provider_reference,
    case when step in ('sending', 'sent', 'unsent') or late_paid_at is not null then 'succeeded'
      when step = 'uncollected' and expired_at is null and cancelled_at is null then 'failed'
      when given_at is not null or accepted_at is not null then 'open' else 'never_given' end,
    ambiguous_since is not null from topups`;

/** The orders with a provider that its statement names, by our id or by its reference. */
export async function findStatedOrders(
  db: Database,
  named: { provider: string; ids: readonly string[]; references: readonly string[] },
): Promise<StatedOrder[]> {
  const texts = (values: readonly string[]) => sql`(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`;
  const rows = await db.execute<Row>(
    sql`select * from (${STATED}) o where o.provider = ${named.provider} and (o.id in ${texts(named.ids)} or o.reference in ${texts(named.references)}) order by o.id`,
  );
  return rows.map(toStated);
}

/** The orders that a provider settled with success in a period (business time; from inclusive, to exclusive): a statement must name them. */
export async function listOrdersSettled(db: Database, provider: string, { from, to }: { from: Date; to: Date }): Promise<StatedOrder[]> {
  const rows = await db.execute<Row>(sql`
    select o.* from (${STATED}) o where o.provider = ${provider} and o.id in (
      select order_id from provider_events
      where id >= ${firstId("providerEvent", from)} and received_at >= ${from.toISOString()}::timestamptz and received_at < ${to.toISOString()}::timestamptz
        and effect = 'applied' and status = 'succeeded') order by o.id`);
  return rows.map(toStated);
}

/** Orders for which the provider was halted before: anyone who lifted that halt knew of them. */
export async function listHaltedOrders(db: Database, provider: string): Promise<Set<string>> {
  const { kind, key } = providerScope(provider);
  const rows = await db.execute<{ id: string }>(sql`
    select distinct jsonb_array_elements_text(evidence -> 'order_ids') as id from lane_halts
    where lane_kind = ${kind} and lane_key = ${key} and jsonb_typeof(evidence -> 'order_ids') = 'array'`);
  return new Set(rows.map(({ id }) => id));
}

function toStated({ amount_minor, ...row }: Row & { amount_minor?: string }): StatedOrder {
  const kind = row.kind === "withdrawal" ? "withdrawal" : "topup";
  const recorded = (["succeeded", "failed", "open"] as const).find((known) => known === row.recorded) ?? "never_given";
  return { ...row, kind, recorded, amountMinor: BigInt(amount_minor ?? 0) };
}

export type ProviderEvent = typeof providerEvents.$inferSelect;

/** Records a report of the provider, whatever its effect. */
export async function insertProviderEvent(db: Database, event: ProviderEvent): Promise<void> {
  await db.insert(providerEvents).values(event);
}

/** All reports of the provider about an order, in order of arrival. */
export async function listProviderEvents(db: Database, orderId: string): Promise<ProviderEvent[]> {
  return await db.select().from(providerEvents).where(eq(providerEvents.orderId, orderId)).orderBy(asc(providerEvents.id));
}
