import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { partnerRole, processRole } from "#db/application-role.ts";
import { TENANT_SETTING } from "#db/driver/tenant.ts";
import { MOVES } from "#db/rights.ts";
import { plainValue, plantRows, populated } from "./planted-rows.ts";
import type { Random } from "./random.ts";

/** Somebody who has the log-in of a process, and writes with it whatever it lets through. */
/** `column` null: a row was added. `code`: PostgreSQL's, of the refusal. */
export type Forgery = { role: ForgedRole; table: string; column: string | null; refusal: string | null; code: string | null };
export const FORGED_ROLES = ["web", "partner", "worker", "signer"] as const;
export type ForgedRole = (typeof FORGED_ROLES)[number];

/** Every table that money or a decision on it is in. */
export const MONEY_TABLES = [
  "transfers",
  "transactions",
  "transaction_attempts",
  "pack_members",
  "adrift_places",
  "transfer_proofs",
  "network_fees",
  "unexplained_payments",
  "suspense_lines",
  "treasury_books",
  "treasury_cursors",
  "treasury_withdrawals",
  "signing_journal",
  "chain_cursors",
  "wallets",
  "wallet_balances",
  "lane_halts",
  "exposure_limits",
  "exposure_counters",
  "payment_holds",
  "payment_verdicts",
  "safe_deployments",
  "brought_safes",
  "members",
  "settlements",
  "settlement_batches",
  "settlement_quotes",
  "settlement_approvals",
  "decision_signatures",
  "passkey_keys",
  "approval_demands",
  "approval_policies",
  "proposals",
  "pair_terms",
  "exchange_rates",
  "topups",
  "withdrawals",
  "provider_events",
  "fiat_pools",
  "provider_balances",
  "bookings",
  "ledger_entries",
  "ledger_postings",
  "ledger_snapshots",
  "audit_entries",
] as const;

/** What says what is paid, to whom, or with which bytes: no log-in may change it, nor add such a row to `transfers`. */
export function isFixed({ role, table, column }: Forgery): boolean {
  if (role === "signer") return true;
  const moves = `${MOVES}, adrift_since, trace, created_at`.split(/,\s*/);
  if (table === "transfers") return column === null || !(moves.includes(column) || column.startsWith("call_"));
  if (table === "transactions") return column !== null && !/^(?:look_at|bump_at|spent_height|superseded_at)$/.test(column);
  if (table === "transaction_attempts") return column !== null && column !== "broadcast_at";
  if (table === "treasury_withdrawals")
    return column !== null && !/^(?:state|decided_at|decided_by|tx_hash|failure_reason|updated_at)$/.test(column);
  if (table === "members")
    return column === null ? role === "worker" : /^(?:id|partner_id|external_user_id|chain|wallet_address)$/.test(column);
  if (table === "safe_deployments")
    return column !== null && /^(?:id|kind|chain|version|shared|threshold|salt_nonce|member_id|partner_id)$/.test(column);
  if (table === "topups" || table === "withdrawals")
    return column === null ? role === "worker" : /^(?:member_id|external_user_id)$/.test(column);
  if (table === "settlements") return column === null && role === "worker";
  if (table === "wallets") return column === "address" || column === "chain" || column === "id";
  return ["settlement_quotes", "ledger_entries", "ledger_postings", "audit_entries", "pair_terms"].includes(table) && column !== null;
}

/** `isMade`: the database computes it. `isNeeded`: it has no default, and may not be empty. */
type Column = { table: string; column: string; type: string; isMade: boolean; isNeeded: boolean };

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
    const roles = { web, partner: partnerRole(web), worker: processRole(database, "worker"), signer: processRole(database, "signer") };
    const columns = await owner<Column[]>`
      select table_name as table, column_name as column, data_type as type,
        is_generated = 'ALWAYS' or identity_generation = 'ALWAYS' as "isMade",
        is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and is_identity = 'NO' as "isNeeded" from information_schema.columns
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

  /** What no statement of the role has met yet, because a lock was in the way or there was no row. */
  missed(): string[] {
    const met = new Set(this.tried.map(({ role, table, column }) => `${role}: ${table}.${column}`));
    const all = FORGED_ROLES.flatMap((role) => this.#columns.map(({ table, column }) => `${role}: ${table}.${column}`));
    return all.filter((one) => !met.has(one));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end({ timeout: 2 })));
  }

  /** A statement that met no row tried nothing. One that gave way to a lock is tried again in the next pass. */
  async #attempt(forgery: Omit<Forgery, "refusal" | "code">, statement: string): Promise<void> {
    const session = this.#sessions.get(forgery.role);
    if (session === undefined) throw new Error(`there is no session of the ${forgery.role}`);
    try {
      const { count: met } = await session.unsafe(statement);
      const count = met > 0 || forgery.column !== null ? met : (await session.unsafe(this.#invention(forgery.table))).count;
      if (count > 0) this.tried.push({ ...forgery, refusal: null, code: null });
    } catch (error) {
      const { code, message } = error as postgres.PostgresError;
      if (code === "55P03" || code === "57014" || code === "40P01") return;
      this.tried.push({ ...forgery, refusal: message, code });
    }
  }

  /** Another row like one that is there, for the thief. */
  #insertion(table: string): string {
    const others = this.#columns
      .filter((one) => one.table === table)
      .flatMap(({ column, type }) => {
        if (isAddress(column)) return [`'${column}', '${this.#thief}'`];
        // Not what is unique, which would refuse it too soon.
        if (/^external_|^(?:counter|cause_id|subject|bank_reference|reference)$/.test(column)) return [`'${column}', '${randomUUID()}'`];
        if (column === "phone") return [`'${column}', '+2547${String(this.#random.below(1_000_000_000)).padStart(9, "0")}'`];
        if (column === "line" || (column === "version" && table !== "safe_deployments"))
          return [`'${column}', ${1_000 + (this.tried.length % 30_000)}`];
        if (column === "amount_base") return [`'${column}', 900000000000`];
        if (column === "id" || column === "owner_id" || column === "hash")
          return [`'${column}', '${type === "uuid" ? randomUUID() : `forged_${randomUUID()}`}'`];
        return [];
      });
    const names = this.#columns.filter((one) => one.table === table && !one.isMade).map(({ column }) => column);
    return `insert into ${table} (${names.map((name) => `"${name}"`).join(", ")}) select ${names.map((name) => `(r.row)."${name}"`).join(", ")} from (
      select jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${others.join(", ")})) as row
      from (select * from ${table} order by random() limit 1) t) r`;
  }

  /** A row of nothing but made-up values, where there is none to copy. */
  #invention(table: string): string {
    const row = Object.fromEntries(
      this.#columns
        .filter((one) => one.table === table && one.isNeeded)
        .map((one) => [one.column, isAddress(one.column) ? this.#thief : plainValue(one)]),
    );
    return `insert into ${table} (${Object.keys(row)
      .map((name) => `"${name}"`)
      .join(", ")}) ${populated(table, row)}`;
  }

  #change({ table, column, type }: Column): string {
    // A member that was added for the thief has its wallet already: writing it again would change nothing, and be let through.
    const only = table === "members" && isAddress(column) ? `where "${column}" is distinct from '${this.#thief}'` : "";
    return `update ${table} set "${column}" = ${this.#otherValue(column, type)} where ctid = (select ctid from ${table} ${only} order by random() limit 1)`;
  }

  #otherValue(column: string, type: string): string {
    if (isAddress(column)) return `'${this.#thief}'`;
    if (column === "state" || column === "status") return "case when random() < 0.5 then 'executed' else 'signed' end";
    if (column === "waiting_kind") return "'review'";
    if (/numeric|int/.test(type)) return `coalesce("${column}", 0) + 1`;
    if (type.startsWith("timestamp")) return "clock_timestamp() - interval '1 day'";
    if (type === "uuid") return "gen_random_uuid()";
    if (type === "boolean") return `not "${column}"`;
    if (type === "ARRAY") return "'{}'";
    if (type === "jsonb") return "'{}'";
    return "'forged'";
  }
}

function isAddress(column: string): boolean {
  return /recipient|_address$|^address$|call_to|sender$/.test(column);
}
