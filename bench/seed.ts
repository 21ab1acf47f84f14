import type postgres from "postgres";
import { idAt } from "#testing/id-at.ts";

/**
 * A year of settlements in SQL: uneven partners, a few busy merchants and many rare ones, most executed, some of everything else.
 * Deterministic: `hashint8` of the row replaces randomness.
 */
export async function seed(sql: postgres.Sql, rows: number, given: Partial<Shape> = {}): Promise<void> {
  const shape = { ...SPARSE, ...given };
  await sql.begin(async (tx) => {
    // An index is built sooner than it grows row by row.
    const indexes = await tx<{ name: string; definition: string }[]>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid::regclass::text in ('settlements', 'transfers', 'callbacks', 'audit_entries') and not indisunique`;
    for (const { name } of indexes) await tx.unsafe(`drop index ${name}`);
    await insertSeed(tx, rows, shape);
    await tx.unsafe("insert into audit_unsealed (entry_id) select id from audit_entries on conflict do nothing");
    await tx`set local maintenance_work_mem = '256MB'`;
    // For a partitioned table PostgreSQL only returns the parent's index (`on only`), which would leave the partitions without one.
    for (const { definition } of indexes) await tx.unsafe(definition.replace(" ON ONLY ", " ON "));
    const [unfit] = await tx<{ name: string }[]>`select indexrelid::regclass::text as name from pg_index where not indisvalid limit 1`;
    if (unfit) throw new Error(`${unfit.name} is not there as it was: what is measured now would be another service`);
  });
  await sql.unsafe("vacuum analyze");
}

/** Only the rows of {@link seed}, without what waits for its seal. */
export async function insertSeed(tx: postgres.TransactionSql, rows: number, shape: Shape): Promise<void> {
  await tx.unsafe(partnersOf(shape));
  await tx.unsafe(settlementsOf(rows, shape));
  await tx.unsafe(TRANSFERS);
  await tx.unsafe(callbacksOf(shape));
  await tx.unsafe(AUDIT);
}

/**
 * `every`: the time between two settlements. `id`: SQL of an id, of the row's number `n` and its time `at`. `body`: SQL of a callback's body.
 * `active`: how many partners have settlements. `idle`: how many more have none.
 */
export type Shape = { every: string; id: string; body: string; active: number; idle: number };
export const SPARSE: Shape = {
  every: "5 minutes",
  id: "'tx_' || lpad(to_hex(n), 10, '0') || substr(md5(n::text), 1, 16)",
  body: "'{}'",
  active: 20,
  idle: 0,
};

/** The partners of {@link seed} without their settlements. */
export async function seedPartners(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(partnersOf(SPARSE));
}

/** Half of the traffic is the first one's. Two people of the operator's, one of the first partner's. */
const partnersOf = ({ active, idle }: Shape) => `
  insert into partners (id, name, slug, roles, status, charge_fee_percentage, created_at, updated_at)
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Partner ' || n, 'partner-' || n, '{AGGREGATOR}', 'active', 0, now(), now()
  from generate_series(1, ${active + idle}) as n;
  insert into api_keys (id, partner_id, name, key_hash, last_four, sealed_secret, scopes, allowed_ips, created_at)
  select id, id, 'Key', id::text, '0000', 'not a secret', '{}', '{}', now() from partners;
  insert into users (id, email, name, password_hash, role, partner_id, created_at)
  select ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'person-' || n || '@example.com', 'Person ' || n, '-',
    case when n = 3 then 'owner' else 'approver' end, case when n = 3 then '00000000-0000-4000-8000-000000000001'::uuid end, now()
  from generate_series(1, 3) as n;
  insert into pair_terms (id, source_currency, destination_currency, chain, version, enabled, withdrawn, spread_bps, platform_fee_base,
    minimum_source_minor, maximum_source_minor, quote_lifetime_seconds, approved_lifetime_seconds, created_at, created_by)
  select 'pt_' || pair, split_part(pair, '-', 1), split_part(pair, '-', 2), 'eip155:31337', 1, true, false, 50, 500000, 100, 100000000, 300, 1800,
    now(), 'bench' from unnest(array['KES-USDT', 'KES-USDC', 'PHP-USDC']) as pair;
  insert into exchange_rates (source_currency, destination_currency, mid_rate, source, as_of)
  values ('KES', 'USDT', 0.0077, 'bench', now()), ('KES', 'USDC', 0.0077, 'bench', now()), ('PHP', 'USDC', 0.0171, 'bench', now());
`;

/**
 * Of a hundred: 78 executed, 3 failed, 1 processing, 8 cancelled, 9 expired quotes, the rest waiting or open; the failed and open ones are
 * new.
 */
const settlementsOf = (rows: number, { every, id, active }: Shape) => `
  insert into settlements (id, partner_id, api_key_id, status, approval_state, external_tx_id, external_merchant_id, source_amount_minor,
    source_currency, destination_currency, chain, wallet_address, token_address, token_decimals, quote_version, exchange_rate, mid_rate,
    spread_bps, rate_source, rate_as_of, pair_terms_id, gross_base, platform_fee_base, destination_amount_base, priced_at, expires_at,
    creation_callback_url, callback_url, created_at, confirmed_at, cancelled_at, approval_decided_at, rejection_reason, tx_hash, executed_at,
    failure_reason)
  select ${id}, partner, partner,
    status, case when needed then case when status = 'quoted' then 'pending' when status = 'cancelled' then 'rejected' else 'approved' end end,
    case when confirmed then 'order-' || n || '-' || substr(md5('o' || n), 1, 8) end,
    'merchant-' || case when chance % 3 = 0 then chance % 20 else 1000 + chance % 20000 end, amount,
    split_part(pair, '-', 1), split_part(pair, '-', 2), 'eip155:31337', '0x' || substr(encode(sha256(('w' || chance % 30000)::bytea), 'hex'), 1, 40),
    null, 6, 1, 0.0077, 0.0077, 50, 'bench', at, 'pt_' || pair, amount * 77 + 500000, 500000, amount * 77, at, at + interval '5 minutes',
    null, case when confirmed then 'https://partner.example/callbacks' end, at, case when confirmed then at + interval '1 minute' end,
    case when status = 'cancelled' then at + interval '2 minutes' end, case when needed and status <> 'quoted' then at + interval '1 minute' end,
    case when needed and status = 'cancelled' then 'not plausible' end,
    case when status = 'executed' then '0x' || encode(sha256(('h' || n)::bytea), 'hex') end,
    case when status = 'executed' then at + interval '3 minutes' end, case when status = 'failed' then 'the transfer was reverted' end
  from (select *, status in ('processing', 'executed', 'failed') as confirmed, chance / 100 % 50 = 0 and not (status = 'quoted' and n < ${rows} - 2000) as needed
    from (select n, chance, now() - (${rows} - n) * interval '${every}' as at, 10000 + chance % 90000000 as amount,
      (array['KES-USDT', 'KES-USDT', 'KES-USDC', 'PHP-USDC'])[1 + chance % 4] as pair,
      ('00000000-0000-4000-8000-' || lpad((case when chance % 2 = 0 then 1 else 1 + chance / 2 % ${active} end)::text, 12, '0'))::uuid as partner,
      case when chance % 100 < 78 then 'executed' when chance % 100 < 81 then 'failed' when chance % 100 < 82 and n > ${rows} - 20000 then 'processing'
        when chance % 100 < 91 then 'cancelled' else 'quoted' end as status
      from (select n, (hashint8(n)::bigint & 2147483647) as chance from generate_series(1, ${rows}) as n) as numbers) as drawn) as chosen;
`;

/** Paid and failed payments. Those in processing have none, so that no worker finds them. */
const TRANSFERS = `
  insert into transfers (id, purpose, owner_id, partner_id, chain, currency, token_decimals, amount_base, recipient, state, failure_reason,
    tx_hash, block_number, block_hash, created_at, updated_at, executed_at)
  select 'tr_' || substr(id, 4), 'settlement', id, partner_id, chain, destination_currency, token_decimals, destination_amount_base,
    wallet_address, status, failure_reason, tx_hash, case when status = 'executed' then 1 end, case when status = 'executed' then '0x1' end,
    confirmed_at, confirmed_at, executed_at
  from settlements where status in ('executed', 'failed');
`;

/** A terminal callback for everything that ended; one in two hundred was given up. */
const callbacksOf = ({ body }: Shape) => `
  insert into callbacks (id, partner_id, subject_id, api_key_id, event, url, lane, body, state, series, next_number, due_at, created_at,
    delivered_at, undelivered_at)
  select ${idAt("cb", "created_at", "substr(id, 4, 16)")}, partner_id, id, api_key_id, 'settlement.' || status, callback_url, partner_id || ' https://partner.example', ${body},
    state, 1, 1, case when state = 'pending' then created_at end, created_at, case when state = 'delivered' then created_at end,
    case when state = 'undelivered' then created_at end
  from (select *, case when hashtext(id) % 200 = 0 then 'undelivered' when hashtext(id) % 400 = 1 then 'pending' else 'delivered' end as state
    from settlements where status in ('executed', 'failed')) as ended;
`;

/** What each settlement's story is made of in the audit log; decisions are those of two people. */
const AUDIT = `
  insert into audit_entries (id, at, partner_id, actor_type, actor_id, action, object_id, change, request_id)
  select 'au_' || substr(id, 4), created_at, partner_id, 'api_key', api_key_id::text, 'settlement.created', id, '{}', 'req_1' from settlements;
  insert into audit_entries (id, at, partner_id, actor_type, actor_id, action, object_id, change, request_id)
  select overlay('au_' || substr(id, 4) placing 'x' from 14 for 1), approval_decided_at, partner_id, 'user', '10000000-0000-4000-8000-00000000000' || (1 + (hashtext(id) & 1)),
    'settlement.' || approval_state, id, '{}', 'req_2' from settlements where approval_decided_at is not null;
  insert into audit_entries (id, at, partner_id, actor_type, action, object_id, change)
  select overlay('au_' || substr(id, 4) placing 'y' from 14 for 1), confirmed_at + interval '2 minutes', partner_id, 'system', 'settlement.' || status, id, '{}'
  from settlements where status in ('executed', 'failed');
`;
