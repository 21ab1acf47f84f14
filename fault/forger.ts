import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { partnerRole, processRole } from "#db/application-role.ts";
import { TENANT_SETTING } from "#db/driver/tenant.ts";
import { MOVES } from "#db/rights.ts";
import type { Random } from "./random.ts";

/** Somebody who has the log-in of a process, and writes with it whatever it lets through. */
export type Forgery = { role: ForgedRole; table: string; column: string | null; refusal: string | null };
export const FORGED_ROLES = ["web", "partner", "worker"] as const;
export type ForgedRole = (typeof FORGED_ROLES)[number];

/** Every table that money or a decision on it is in. */
export const MONEY_TABLES = [
  "transfers",
  "transactions",
  "transaction_attempts",
  "transfer_proofs",
  "network_fees",
  "unexplained_payments",
  "suspense_lines",
  "treasury_books",
  "treasury_cursors",
  "treasury_withdrawals",
  "wallets",
  "wallet_balances",
  "lane_halts",
  "exposure_limits",
  "payment_holds",
  "safe_deployments",
  "settlements",
  "settlement_batches",
  "settlement_quotes",
  "settlement_approvals",
  "decision_signatures",
  "pair_terms",
  "topups",
  "withdrawals",
  "provider_events",
  "fiat_pools",
  "provider_balances",
  "bookings",
  "ledger_entries",
  "ledger_postings",
  "audit_entries",
] as const;

/** What says what is paid, to whom, or with which bytes: no log-in may change it, nor add such a row to `transfers`. */
export function isFixed({ table, column }: Forgery): boolean {
  const moves = `${MOVES}, adrift_since, trace, created_at`.split(/,\s*/);
  if (table === "transfers") return column === null || !(moves.includes(column) || column.startsWith("call_"));
  if (table === "transactions") return column !== null && !/^(?:look_at|bump_at|spent_height|superseded_at)$/.test(column);
  if (table === "transaction_attempts") return column !== null && column !== "broadcast_at";
  if (table === "treasury_withdrawals")
    return column !== null && !/^(?:state|decided_at|decided_by|tx_hash|failure_reason|updated_at)$/.test(column);
  if (table === "wallets") return column === "address" || column === "chain" || column === "id";
  return ["settlement_quotes", "ledger_entries", "ledger_postings", "audit_entries", "pair_terms"].includes(table) && column !== null;
}

type Column = { table: string; column: string; type: string };

export class Forger {
  readonly tried: Forgery[] = [];
  readonly #columns: readonly Column[];
  readonly #sessions: ReadonlyMap<ForgedRole, postgres.Sql>;
  readonly #thief: string;
  readonly #random: Random;

  private constructor(columns: readonly Column[], sessions: ReadonlyMap<ForgedRole, postgres.Sql>, thief: string, random: Random) {
    this.#columns = columns;
    this.#sessions = sessions;
    this.#thief = thief;
    this.#random = random;
  }

  static async open(owner: postgres.Sql, given: { url: string; partnerId: string; thief: string; random: Random }): Promise<Forger> {
    const { url, partnerId, thief, random } = given;
    const database = decodeURIComponent(new URL(url).pathname.slice(1));
    const web = processRole(database, "web");
    await plantRows(owner, partnerId);
    const roles = { web, partner: partnerRole(web), worker: processRole(database, "worker") };
    const columns = await owner<Column[]>`
      select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = any(${[...MONEY_TABLES]}) order by table_name, ordinal_position`;
    const limits = { lock_timeout: 300, statement_timeout: 2_000 };
    const session = (role: string, more: object) => postgres(url, { max: 1, onnotice: () => {}, connection: { ...limits, role, ...more } });
    const sessions = FORGED_ROLES.map(
      (role) => [role, session(roles[role], role === "partner" ? { [TENANT_SETTING]: partnerId } : {})] as const,
    );
    return new Forger(columns, new Map(sessions), thief, random);
  }

  /** Tries to insert into each table and to change each column once, in each role. */
  async tryAll(): Promise<void> {
    for (const role of FORGED_ROLES) {
      for (const table of this.#random.shuffled([...MONEY_TABLES])) {
        await this.#attempt({ role, table, column: null }, this.#insertion(table));
        for (const column of this.#columns.filter((one) => one.table === table))
          await this.#attempt({ role, table, column: column.column }, this.#change(column));
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end({ timeout: 2 })));
  }

  /** A statement that met no row tried nothing. One that gave way to a lock is tried again in the next pass. */
  async #attempt(forgery: Omit<Forgery, "refusal">, statement: string): Promise<void> {
    const session = this.#sessions.get(forgery.role);
    if (session === undefined) throw new Error(`there is no session of the ${forgery.role}`);
    try {
      const { count } = await session.unsafe(statement);
      if (count > 0) this.tried.push({ ...forgery, refusal: null });
    } catch (error) {
      const { code, message } = error as postgres.PostgresError;
      if (code === "55P03" || code === "57014" || code === "40P01") return;
      this.tried.push({ ...forgery, refusal: message });
    }
  }

  /** Another row like one that is there, for the thief. */
  #insertion(table: string): string {
    const others = this.#columns
      .filter((one) => one.table === table)
      .flatMap(({ column, type }) => {
        if (isAddress(column)) return [`'${column}', '${this.#thief}'`];
        if (column === "amount_base") return [`'${column}', 900000000000`];
        if (column === "id" || column === "owner_id" || column === "hash")
          return [`'${column}', '${type === "uuid" ? randomUUID() : `forged_${randomUUID()}`}'`];
        return [];
      });
    return `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${others.join(", ")}))).* from (select * from ${table} order by random() limit 1) t`;
  }

  #change({ table, column, type }: Column): string {
    return `update ${table} set ${column} = ${this.#otherValue(column, type)} where ctid = (select ctid from ${table} order by random() limit 1)`;
  }

  #otherValue(column: string, type: string): string {
    if (isAddress(column)) return `'${this.#thief}'`;
    if (column === "state" || column === "status") return "case when random() < 0.5 then 'executed' else 'signed' end";
    if (column === "waiting_kind") return "'review'";
    if (/numeric|int/.test(type)) return `coalesce(${column}, 0) + 1`;
    if (type.startsWith("timestamp")) return "clock_timestamp() - interval '1 day'";
    if (type === "uuid") return "gen_random_uuid()";
    if (type === "boolean") return `not ${column}`;
    if (type === "jsonb") return "'{}'";
    return "'forged'";
  }
}

/** Rows of tables that nothing writes while settlements are paid: a column is only changed where there is a row. They concern no chain of ours. */
async function plantRows(owner: postgres.Sql, partnerId: string): Promise<void> {
  const [user, chain, address] = [randomUUID(), "eip155:999999", `0x${"01".repeat(20)}`];
  await owner`insert into users (id, email, name, password_hash, role, created_at)
    values (${user}, ${`${user}@example.com`}, 'Somebody', 'none', 'viewer', now())`;
  await owner`insert into treasury_cursors (chain, holder, height, hash) values (${chain}, 'safe', 1, '0x')`;
  await owner`insert into provider_balances (currency, asked_at) select currency, now() from fiat_pools limit 1 on conflict do nothing`;
  await owner`insert into treasury_withdrawals (id, chain, wallet_address, currency, token_decimals, amount_base, recipient, reason, state, proposed_by, proposed_at, updated_at)
    values ('tw_planted', ${chain}, ${address}, 'ETH', 18, 1, ${address}, 'Planted', 'proposed', ${user}, now(), now())`;
  await owner`insert into settlement_batches (id, partner_id, api_key_id, external_batch_id, body_sha256, status, item_count, created_at)
    select 'ba_planted', k.partner_id, k.id, 'planted', 'none', 'quoted', 1, now() from api_keys k where k.partner_id = ${partnerId} limit 1`;
}

function isAddress(column: string): boolean {
  return /recipient|_address$|^address$|call_to|sender$/.test(column);
}
