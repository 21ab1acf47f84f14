import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Raw } from "#db/columns.ts";
import type { Layout } from "#db/layout.ts";
import { balanceRows } from "#db/queries/ledger/ledger-balances.ts";
import { settlementOf } from "#db/queries/settlements/settlement-of.ts";
import { isPaid } from "#db/queries/settlements/to-wallet.ts";
import { payeeKey } from "#db/schema/fiat-orders.ts";
import { statement } from "#db/statement.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { decimal } from "#domain/decimal.ts";
import { type LimitAsked, type LimitedPayment, toAtto } from "#domain/exposure-limit.ts";
import type { TransferPurpose } from "#domain/transfer.ts";

/** A payment, and every limit that concerns it, with all that both are judged by. */
export type AskedPayment = { ownerId: string; payment: LimitedPayment; limits: AskedLimit[] };
/** `versionBefore`: that by which the payment was judged before, by this limit; null: never yet. */
export type AskedLimit = LimitAsked & { versionBefore: string | null };

type PaymentRow = {
  owner_id: string;
  purpose: TransferPurpose;
  amount_base: string;
  token_decimals: number;
  destination_currency: string;
  recipient: string;
  source_currency: string | null;
  source_amount_minor: string | null;
  exchange_rate: string | null;
  maximum_minor: string | null;
};
type LimitRow = Raw<Pick<LimitAsked, "id" | "version" | "kind" | "mode" | "counter">> & {
  counted_by: LimitAsked["countedBy"];
  window_seconds: number | null;
  amount_atto: string | null;
  times_maximum: number | null;
  wait_seconds: number | null;
  addresses: string[] | null;
  used: string;
  owed_minor: string;
  is_charged: boolean;
  is_known: boolean;
  version_before: string | null;
};
export type LimitsRow = PaymentRow & LimitRow & Record<string, unknown>;

/** Settlements before their confirmation, as the payments that would result; nothing for one that is confirmed already. */
const confirming = (asked: SQL, layout: Layout) => sql`
  select s.id as owner_id, 'settlement' as purpose, s.partner_id, null::uuid as member_id, s.source_currency, s.destination_currency, s.chain, s.wallet_address as recipient,
    s.destination_amount_base as amount_base, s.token_decimals, s.source_amount_minor, s.exchange_rate, s.pair_terms_id,
    null::text as wallet_id, q.api_key_id
  from jsonb_to_recordset(${asked}::text::jsonb) as q(id text, partner_id uuid, api_key_id uuid)
  cross join lateral ${settlementOf(layout, sql`q.id`, sql`q.partner_id`)} as s where s.status = 'quoted'`;

/**
 * Transfers before a wallet signs them or (without a wallet) before their release, with the pair and price of their owner. A sweep counts
 * as its withdrawal, which pays fiat out once the sweep is final: its destination is the payee's account. Without an owner the pair is
 * unknown.
 */
const owing = (ids: SQL, walletId: SQL, layout: Layout) => sql`
  select t.owner_id, t.purpose, t.partner_id, coalesce(w.member_id, u.member_id) as member_id,
    coalesce(s.source_currency, w.currency, u.currency) as source_currency, t.currency as destination_currency, t.chain,
    case when t.purpose = 'sweep' then coalesce(w.destination_account, t.recipient) else t.recipient end as recipient,
    t.amount_base, t.token_decimals, coalesce(s.source_amount_minor, w.amount_minor, u.amount_minor) as source_amount_minor,
    coalesce(s.exchange_rate, w.exchange_rate, u.exchange_rate) as exchange_rate, coalesce(s.pair_terms_id, w.pair_terms_id, u.pair_terms_id) as pair_terms_id,
    ${walletId}::text as wallet_id, case when t.purpose <> 'return' then coalesce(w.api_key_id, u.api_key_id) end as api_key_id
  from transfers t
  left join ${layout === "citus" ? sql`lateral citus_settlement(t.owner_id, t.partner_id)` : sql`settlements`} s
    on t.purpose = 'settlement' and s.id = t.owner_id and of_partner(s.partner_id, t.partner_id)
  left join withdrawals w on t.purpose in ('sweep', 'return') and w.id = t.owner_id and of_partner(w.partner_id, t.partner_id)
  left join topups u on t.purpose = 'topup' and u.id = t.owner_id and of_partner(u.partner_id, t.partner_id)
  where t.id = any(array(select jsonb_array_elements_text(${ids}::jsonb)))`;

/** What a limit calls the purpose of a transfer (`LimitPurpose`). */
const CONCERN = sql`case p.purpose when 'sweep' then 'withdrawal' else p.purpose end`;
/** A destination as it is counted: a wallet, or a payee's account. */
const DESTINATION = sql`case when p.purpose = 'sweep' then ${payeeKey(sql`p.recipient`)} else lower(p.recipient) end`;

/**
 * The limits that apply to these payments, with what each counts. Among limits of one kind with the same counter and window, the most
 * specific applies; of two equally specific ones, an active one. Record-only limits apply in addition.
 */
const concerned = (payments: SQL) => sql`
  select distinct on (p.owner_id, l.mode = 'dry_run', l.kind, l.counted_by, l.window_seconds) p.*, l.id, l.version, l.kind, l.mode, l.counted_by,
    l.window_seconds, l.amount_atto, l.times_maximum, l.wait_seconds, l.addresses,
    case when l.kind = 'wallet' then p.wallet_id || ' ' || p.destination_currency
      when l.counted_by = 'partner' then p.partner_id::text
      when l.counted_by = 'pair' then concat_ws(' ', p.partner_id, p.source_currency, p.destination_currency, p.chain)
      when l.counted_by = 'destination' then ${DESTINATION}
      when l.counted_by = 'member' then p.member_id::text
      when l.counted_by = 'all' then '*'
      when l.kind = 'credit_line' then p.partner_id || ' ' || p.source_currency end as counter
  from (${payments}) as p join exposure_limits l on l.replaced_at is null and l.kind not in ('open_quotes', 'open_loss')
    and (l.purpose is null or l.purpose = ${CONCERN}) and (l.partner_id is null or l.partner_id = p.partner_id) and (l.source_currency is null or l.source_currency = p.source_currency)
    and (l.destination_currency is null or l.destination_currency = p.destination_currency) and (l.chain is null or l.chain = p.chain)
    and case when l.kind = 'wallet' then p.wallet_id is not null and p.purpose <> 'sweep' when l.kind = 'new_key' then p.api_key_id is not null
      when l.kind = 'credit_line' then p.purpose = 'settlement' and p.source_currency is not null
      when l.kind in ('new_destination', 'allow_list') then p.purpose <> 'return'
      when l.counted_by = 'member' then p.member_id is not null else true end
  order by p.owner_id, l.mode = 'dry_run', l.kind, l.counted_by, l.window_seconds, (l.partner_id is not null) desc,
    num_nonnulls(l.source_currency, l.destination_currency, l.chain, l.purpose) desc, l.mode = 'off', l.id`;

/** Locks the counters of these payments until the transaction ends, always in one order. Returns the counters. */
const locking = (payments: SQL) => sql`
  select id, counter, pg_advisory_xact_lock(hashtextextended('exposure ' || id || ' ' || counter, 0)) from (
    select distinct id, counter from (${concerned(payments)}) as l where l.mode <> 'off' and counter is not null order by id, counter) as counters`;

/** All facts about payments and limits. Query it once the counters are locked: a statement sees everything committed before it. */
export const telling = (payments: SQL, layout: Layout) => sql`
  select l.owner_id, l.purpose, l.amount_base::text, l.token_decimals, l.destination_currency, l.recipient, l.source_currency, l.source_amount_minor::text,
    l.exchange_rate::text, (select t.maximum_source_minor::text from pair_terms t where t.id = l.pair_terms_id) as maximum_minor,
    l.id, l.version, l.kind, l.mode, l.counted_by, l.counter, l.window_seconds, l.amount_atto::text, l.times_maximum, l.wait_seconds, l.addresses,
    case when l.window_seconds is null then '0' else coalesce((select sum(c.amount_atto) from exposure_counters c
      where c.limit_id = l.id and c.counter = l.counter and c.begins > (select business_now())
        - (l.window_seconds + case when l.window_seconds <= 3600 then 300 else 3600 end) * interval '1 second'), 0)::text end as used,
    case when l.kind = 'credit_line' then ${owed(layout)} else '0' end as owed_minor,
    case l.kind when 'new_destination' then ${isPaidBefore(layout)} when 'new_key' then exists (select 1 from api_keys k where k.id = l.api_key_id
        and k.created_at <= (select business_now()) - l.wait_seconds * interval '1 second')
      else false end as is_known,
    coalesce(before.is_charged, false) as is_charged, before.version as version_before
  from (${concerned(payments)}) as l left join lateral (
    select bool_or(f ? 'charge') as is_charged, (array_agg(f ->> 'version' order by v.at desc, v.id desc))[1] as version
    from payment_verdicts v cross join lateral jsonb_array_elements(v.findings) f
    where v.owner_id = l.owner_id and v.purpose = l.purpose and v."check" = 'limit' and f ->> 'key' = l.id) as before on true
  where l.mode <> 'off' order by l.owner_id, l.id`;

/**
 * Whether its partner has paid its destination this long ago: for a payee by a completed payout, for a member's wallet also by a top-up.
 */
const isPaidBefore = (
  layout: Layout,
) => sql`case when l.purpose = 'sweep' then exists (select 1 from withdrawals d where d.partner_id = l.partner_id
      and ${payeeKey(sql`d.destination_account`)} = ${payeeKey(sql`l.recipient`)} and d.completed_at <= ${longEnoughAgo()})
    else ${isPaid(layout, { partner: sql`l.partner_id`, wallet: sql`l.recipient`, till: longEnoughAgo() })}
    or l.purpose = 'topup' and exists (select 1 from topups d where d.member_id = l.member_id and d.partner_id = l.partner_id
      and lower(d.wallet_address) = lower(l.recipient) and d.completed_at <= ${longEnoughAgo()}) end`;
const longEnoughAgo = () => sql`(select business_now()) - l.wait_seconds * interval '1 second'`;

/** What a partner owes of a currency: what was paid out and not paid for, and what is on its way, but for the payment itself. */
const owed = (layout: Layout) => sql`(
  coalesce((select sum(b.amount) from (${balanceRows(
    sql`account = 'partner_receivable' and partner_id = l.partner_id and currency = l.source_currency and chain is null`,
  )}) as b), 0)
  + coalesce(${onItsWay(layout)}, 0))::text`;
/** All that is under way is little. `of_partner` keeps PostgreSQL from reading the partner's whole history next to it. */
const onItsWay = (layout: Layout) =>
  layout === "citus"
    ? sql`citus_processing_minor(l.partner_id, l.source_currency, l.owner_id)`
    : sql`(select sum(u.source_amount_minor) from settlements u where of_partner(u.partner_id, l.partner_id) and u.source_currency = l.source_currency
      and u.status = 'processing' and u.id <> l.owner_id)`;

type Confirming = { id: string; partnerId: string; apiKeyId: string | null };
type Counter = { id: string; counter: string };
const lockConfirming = statement<{ asked: string }, Counter>((param, layout) => locking(confirming(param("asked"), layout)));
const describeConfirming = statement<{ asked: string }, LimitsRow>((param, layout) => telling(confirming(param("asked"), layout), layout));
type Owing = { ids: string; walletId: string | null };
const lockBeforeSigning = statement<Owing, Counter>((param, layout) => locking(owing(param("ids"), param("walletId"), layout)));
const describePayment = statement<Owing, LimitsRow>((param, layout) => telling(owing(param("ids"), param("walletId"), layout), layout));

/**
 * The limits of settlements before their confirmation; empty without limits. Two statements that are sent together: after the first, the
 * counters are locked until the transaction ends.
 */
export async function askConfirming(tx: Database, confirming: readonly Confirming[]): Promise<AskedPayment[]> {
  if (confirming.length === 0) return [];
  const param = {
    asked: JSON.stringify(confirming.map(({ id, partnerId, apiKeyId }) => ({ id, partner_id: partnerId, api_key_id: apiKeyId }))),
  };
  return group(
    await describeHeld(
      () => lockConfirming(tx, param),
      () => describeConfirming(tx, param),
    ),
  );
}

/** The same of payments that are owed already. `walletId` null: no wallet's money yet. */
export async function askBeforeSigning(tx: Database, transferIds: readonly string[], walletId: string | null): Promise<AskedPayment[]> {
  const param = { ids: JSON.stringify(transferIds), walletId };
  return group(
    await describeHeld(
      () => lockBeforeSigning(tx, param),
      () => describePayment(tx, param),
    ),
  );
}

/**
 * The limits, with each counter locked. The first statement may wait, and sees the limits as of its beginning. If another limit was
 * activated meanwhile, the second statement shows it, and both run once more.
 */
async function describeHeld(
  lock: () => Promise<readonly Counter[]>,
  reportFindings: () => Promise<readonly LimitsRow[]>,
): Promise<readonly LimitsRow[]> {
  const [counters, rows] = await Promise.all([lock(), reportFindings()]);
  const held = new Set(counters.map(({ id, counter }) => `${id} ${counter}`));
  const areHeld = rows.every(({ id, counter }) => counter === null || held.has(`${id} ${counter}`));
  return areHeld ? rows : await describeHeld(lock, reportFindings);
}

function group(rows: readonly LimitsRow[]): AskedPayment[] {
  return [...Map.groupBy(rows, ({ owner_id }) => owner_id)].flatMap(([ownerId, all]) => {
    const [first] = all;
    return first === undefined ? [] : [{ ownerId, payment: toPayment(first), limits: all.map(toLimit) }];
  });
}

function toPayment(row: PaymentRow): LimitedPayment {
  const { source_currency: currency, source_amount_minor: amount, exchange_rate: rate, maximum_minor: maximum, purpose } = row;
  const rateIs = purpose === "sweep" || purpose === "return" ? "fiat_per_token" : "token_per_fiat";
  const source =
    currency === null || amount === null || rate === null || maximum === null
      ? null
      : ({ currency, amountMinor: BigInt(amount), exchangeRate: decimal(rate), rateIs, maximumMinor: BigInt(maximum) } as const);
  const { amount_base: amountBase, token_decimals: tokenDecimals, destination_currency, recipient } = row;
  return { amountBase: BigInt(amountBase), tokenDecimals, currency: destination_currency, recipient, source };
}

export function toLimit(row: LimitsRow): AskedLimit {
  const { id, version, kind, mode, counter, addresses, source_currency: source } = row;
  const exponent = source === null ? 0 : (findFiatCurrency(source)?.exponent ?? 0);
  return {
    id,
    version,
    kind,
    mode,
    counter,
    addresses,
    countedBy: row.counted_by,
    windowSeconds: row.window_seconds,
    amountAtto: row.amount_atto === null ? null : BigInt(row.amount_atto),
    timesMaximum: row.times_maximum,
    waitSeconds: row.wait_seconds,
    usedAtto: kind === "credit_line" ? toAtto(BigInt(row.owed_minor), exponent) : BigInt(row.used),
    isCharged: row.is_charged,
    isKnown: row.is_known,
    versionBefore: row.version_before,
  };
}
