import type postgres from "postgres";
import type { Database } from "#db/client.ts";
import { allowLongStatements } from "#db/queries/audit/rules/rule.ts";
import { insertLedgerSnapshot } from "#db/queries/ledger/ledger-balances.ts";
import { firstId } from "#domain/ids.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { idAt } from "#testing/id-at.ts";
import { fillInBulk } from "./bulk-fill.ts";
import { insertSeed, type Shape, SPARSE } from "./seed.ts";

/**
 * A year of settlements with all the rows that each leaves, as wide as the service writes them. What a live service has archived or deleted by
 * then is not there; a day of it is overdue. The rows fit no rule of the audit: only their number and width count.
 */
export async function seedYear({ owner, db }: { owner: postgres.Sql; db: Database }, rows: number): Promise<void> {
  await fillInBulk(owner, [...SEEDED, ...Object.keys(FILLED)], async (tx) => {
    await insertSeed(tx, rows, { ...SPARSE, ...shapeOf(rows) });
    await tx.unsafe(WALLET);
    for (const fill of Object.values(FILLED)) await tx.unsafe(fill);
  });
  await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    for (let days = SNAPSHOT_DAYS.first; days >= SNAPSHOT_DAYS.last; days -= 1)
      await insertLedgerSnapshot(tx, firstId("ledgerEntry", new Date(Date.now() - days * DAY_MS)));
  });
  await owner.unsafe("vacuum analyze");
}

const DAY_MS = 86_400_000;
/** A service has a snapshot of each day at least. */
const SNAPSHOT_DAYS = { first: 60, last: 1 };
const SEEDED = ["settlements", "transfers", "callbacks", "audit_entries", "audit_unsealed"];
const YEAR_SECONDS = 365 * 86_400;
const shapeOf = (rows: number): Partial<Shape> => ({
  every: `${YEAR_SECONDS / rows} seconds`,
  id: idAt("tx", "at", "substr(md5(n::text), 1, 16)"),
  body: "rpad('{\"event\": \"', 310, md5(id)) || '\"}'",
});

/** Deleted, or archived, a day late. */
const within = (column: string, days: number) => `${column} > now() - interval '${days + 1} days'`;
const EVENT_DAYS = 30;
const TREASURY = "20000000-0000-4000-8000-000000000001";
const WALLET = `insert into wallets (id, chain, address, fencing_token, created_at)
  values ('${TREASURY}', 'eip155:31337', '0x2195b36a96ae1B037C691428d14E3f50A7b736A5', 1, now())`;
const PAID = "from transfers where state = 'executed'";
/** An id of the same time and length as another one. */
const like = (prefix: string, id = "id") => `'${prefix}' || substr(${id}, 3)`;
const hex = (length: number, of = "id") => `rpad(md5(${of}), ${length}, md5(${of} || 'x'))`;

/** The tables that {@link seed} leaves empty, and what fills each, as wide as a row of the service. */
const FILLED: Readonly<Record<string, string>> = {
  settlement_quotes: `
    insert into settlement_quotes (settlement_id, version, partner_id, exchange_rate, mid_rate, spread_bps, rate_source, rate_as_of, pair_terms_id,
      gross_base, platform_fee_base, destination_amount_base, priced_at, expires_at)
    select id, 1, partner_id, exchange_rate, mid_rate, spread_bps, rate_source, rate_as_of, pair_terms_id, gross_base, platform_fee_base,
      destination_amount_base, priced_at, expires_at from settlements`,
  transactions: `
    insert into transactions (id, transfer_id, wallet_id, nonce, to_address, value_base, data, intent_hash, look_at, bump_at, created_at)
    select ${like("ct")}, id, '${TREASURY}', row_number() over (order by id), recipient, 0, '0xa9059cbb' || ${hex(128)}, ${hex(64)},
      created_at, created_at, created_at ${PAID}`,
  transaction_attempts: `
    insert into transaction_attempts (hash, transaction_id, number, kind, raw_bytes, max_fee_per_gas, max_priority_fee_per_gas, gas_limit,
      signed_at, broadcast_at)
    select tx_hash, ${like("ct")}, 1, 'payment', '0x' || ${hex(530)}, 30000000000, 1000000000, 65000, created_at, created_at ${PAID}`,
  ledger_entries: `
    insert into ledger_entries (id, cause, cause_id, step, phase, partner_id, lines, at, recorded_at)
    select ${like("le")}, 'settlement', owner_id, 'executed', 'posted', partner_id, 5, executed_at, executed_at ${PAID}
    union all select ${like("le")} || 'f', 'transaction', tx_hash, 'network_fees', 'posted', null, 2, executed_at, executed_at ${PAID}`,
  ledger_postings: `
    insert into ledger_postings (entry_id, line, lines, phase, account, partner_id, currency, chain, decimals, amount)
    select ${like("le")}, line, 5, 'posted', account, case when line = 1 then partner_id end, case when line < 3 then 'KES' else currency end,
      case when line > 2 then chain end, case when line < 3 then 2 else 6 end, sign * amount_base
    from transfers, (values (1, 'partner_receivable', 1), (2, 'conversion', -1), (3, 'conversion', 1), (4, 'treasury', -1), (5, 'fee_revenue', -1))
      as lines(line, account, sign) where state = 'executed'
    union all select ${like("le")} || 'f', line, 2, 'posted', account, null, 'ETH', chain, 18, sign * 1800000000000000
    from transfers, (values (1, 'network_fees', 1), (2, 'treasury', -1)) as lines(line, account, sign) where state = 'executed'`,
  network_fees: `
    insert into network_fees (id, hash, chain, transfer_id, block_number, gas_used, fee_base, booked_at)
    select tx_hash, tx_hash, chain, id, block_number, 60000, 1800000000000000, executed_at ${PAID}`,
  callback_attempts: `
    insert into callback_attempts (id, callback_id, series, number, scheduled_at, sent_at, ended_at, duration_ms, request_headers, response_status,
      response_headers, response_body, response_bytes, timings, remote_address, partner_id)
    select ${like("ca")}, id, 1, 1, created_at, created_at, created_at, 30, jsonb_build_object('headers', ${hex(490)}), 200,
      jsonb_build_object('headers', ${hex(100)}), '{"received": true}', 18, '{"dns": 6.7, "connect": 14.9, "firstByte": 30.9}', '203.0.113.7', partner_id
    from callbacks where ${within("created_at", DEFAULT_RETENTION.callback_attempts)}`,
  events: `
    insert into events (id, partner_id, position, version, object_type, object_id, type, audience, created_at, data)
    select ${idAt("ev", "created_at", "substr(md5(id || version), 1, 16)")}, partner_id, row_number() over (order by created_at), version,
      'settlement', id, type, 'settlements', created_at, json_build_array(id, ${hex(300)})
    from settlements, (values (1, 'settlement.created'), (2, 'settlement.confirmed'), (3, 'settlement.executed')) as types(version, type)
    where ${within("created_at", EVENT_DAYS)}`,
  api_requests: `
    insert into api_requests (id, at, partner_id, api_key_id, surface, operation, method, path, query, status, duration_ms, address, replayed,
      settlement_id)
    select ${idAt("req", "created_at", "substr(md5(id || part), 1, 16)")}, created_at, partner_id, api_key_id, 'settlement', 'createSettlement', 'POST',
      '/api/v1/settlements', '', 201, 3.5, '203.0.113.7', false, id
    from settlements, generate_series(1, 2) as part where ${within("created_at", DEFAULT_RETENTION.api_log)}`,
  audit_seals: `
    insert into audit_seals (seq, entry_id, sealed_at, complete_at, hash)
    select seq, id, at, case when seq % 500 = 0 then at end, ${hex(64)} from (select *, row_number() over (order by at, id) as seq from audit_entries) as entries`,
};
