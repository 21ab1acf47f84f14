import { randomUUID } from "node:crypto";
import type postgres from "postgres";

/** Of another chain, which no process of ours knows. */
const CHAIN = "eip155:999999";
const ADDRESS = `0x${"01".repeat(20)}`;

type Column = { column: string; type: string };
type Value = string | number | boolean | null | readonly never[];
type Values = Readonly<Record<string, Value>>;

/** What a column gets that has no default and may not be empty. */
export function plainValue({ column, type }: Column): Value {
  if (column === "id" && type === "text") return `planted_${randomUUID()}`;
  if (/numeric|int/.test(type)) return 1;
  if (type.startsWith("timestamp")) return new Date().toISOString();
  if (type === "uuid") return randomUUID();
  if (type === "boolean") return false;
  return type === "jsonb" || type === "ARRAY" ? [] : "planted";
}

/** A `select` of these values, each read as its column's own type. */
export function populated(table: string, row: Values): string {
  const names = Object.keys(row).map((name) => `(r.row)."${name}"`);
  const text = JSON.stringify(row).replaceAll("'", "''");
  return `select ${names.join(", ")} from (select jsonb_populate_record(null::${table}, '${text}'::jsonb) as row) r`;
}

/**
 * Rows of tables that nothing writes while settlements are paid: a column is only changed where there is a row. They are over, or concern no
 * chain of ours.
 */
export async function plantRows(owner: postgres.Sql, partnerId: string): Promise<void> {
  const plant = async (table: string, values: Values = {}): Promise<string> => {
    const needed = await owner<Column[]>`
      select column_name as column, data_type as type from information_schema.columns where table_schema = 'public' and table_name = ${table}
        and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and is_identity = 'NO'`;
    const row: Values = { ...Object.fromEntries(needed.map((one) => [one.column, plainValue(one)])), ...values };
    const names = Object.keys(row);
    const into = `insert into ${table} (${names.map((name) => `"${name}"`).join(", ")})`;
    const [made] = await owner.unsafe<{ id?: string }[]>(`${into} ${populated(table, row)} on conflict do nothing returning *`);
    return made?.id ?? "";
  };
  const [key] = await owner<{ id: string }[]>`select id from api_keys where partner_id = ${partnerId} limit 1`;
  const [terms] = await owner<{ id: string }[]>`select id from pair_terms limit 1`;
  const [pool] = await owner<{ currency: string }[]>`select currency from fiat_pools limit 1`;
  const ids = { partner_id: partnerId, api_key_id: key?.id ?? "" };
  const place = { chain: CHAIN, currency: "ETH", token_decimals: 18 };
  const user = await plant("users", { email: `${randomUUID()}@example.com`, role: "viewer" });
  await plant("treasury_cursors", { chain: CHAIN, holder: "safe" });
  await plant("provider_balances", { currency: pool?.currency ?? "" });
  await plant("treasury_withdrawals", { ...place, wallet_address: ADDRESS, recipient: ADDRESS, state: "proposed", proposed_by: user });
  await plant("settlement_batches", { ...ids, status: "quoted" });
  const member = await plant("members", { partner_id: partnerId, phone: "+254700000001", wallet_address: ADDRESS, chain: CHAIN });
  const order = { ...ids, ...place, pair_terms_id: terms?.id ?? "", status: "failed", failure_reason: "It is over." };
  const accounts = { amount_minor: 100, fee_minor: 0, charge_fee_percentage: 0 };
  await plant("topups", { ...order, ...accounts, member_id: member, step: "uncollected", source_type: "mobile_money" });
  await plant("withdrawals", { ...order, ...accounts, step: "released", destination_type: "mobile_money", safe_address: ADDRESS });
  await plant("safe_deployments", {
    kind: "safe",
    chain: CHAIN,
    version: "1.4.1",
    threshold: 1,
    salt_nonce: "0x1",
    state: "failed",
    failure_reason: "It is over.",
    partner_id: partnerId,
  });
  await plant("proposals", { proposer_type: "user", proposer_id: user });
  const judged = { purpose: "settlement", check: "limits" };
  const verdict = await plant("payment_verdicts", { ...judged, stage: "confirm", outcome: "pass" });
  await plant("payment_holds", { ...judged, verdict_id: verdict, outcome: "ended", decided_at: new Date().toISOString() });
  await plant("exposure_limits", { kind: "velocity", mode: "off" });
  await plant("exposure_counters");
  await plant("brought_safes", { chain: CHAIN });
  await plant("bookings", { partner_id: partnerId, kind: "partner_payment", currency: pool?.currency ?? "" });
  const over = { ...place, recipient: ADDRESS, state: "failed", failure_reason: "It is over." };
  const paid = await plant("transfers", { ...over, purpose: "settlement", partner_id: partnerId });
  const pack = await plant("transfers", { ...over, purpose: "pack", call_to: ADDRESS, call_value_base: 0, call_data: "0x" });
  const wallet = await plant("wallets", { chain: CHAIN, address: ADDRESS, fencing_token: 0 });
  const transaction = await plant("transactions", {
    transfer_id: pack,
    wallet_id: wallet,
    nonce: 0,
    superseded_at: new Date().toISOString(),
  });
  await plant("pack_members", { transfer_id: paid, pack_id: pack, position: 0, outcome: "unpaid" });
  await plant("adrift_places", { transaction_id: transaction, transfer_id: pack, wallet_id: wallet });
  const now = new Date().toISOString();
  const lifted = { since: now, lifted_at: now, lifted_by: "planted", lift_reason: "planted" };
  await plant("lane_halts", { lane_kind: "chain", lane_key: CHAIN, ...lifted });
  await plant("suspense_lines", { chain: CHAIN, state: "gone", direction: "in", holder: "wallet" });
}
