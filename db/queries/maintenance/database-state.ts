import { sql } from "drizzle-orm";
import type { ProcessKind } from "#db/application-role.ts";
import type { Database } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import type { Replication } from "#domain/vitals.ts";

export type Session = {
  user: string;
  /** Whether it may do what the application must not be able to: rewrite what is only added to, or change the schema. */
  isOwner: boolean;
  mayRead: boolean;
  /** Who logged in, whatever it works as. */
  login: string;
  /**
   * Whether the log-in can become a role that no right or policy restricts: the tables' owner, a superuser, or a role that bypasses
   * policies or creates roles.
   */
  loginRules: boolean;
  /** Whether the log-in may work as the process that asks. */
  isOfProcess: boolean;
  /** Other roles of the service that the log-in can become: another process's, and that of the release before. */
  otherRoles: string[];
  timeouts: { statement_timeout: string; lock_timeout: string; idle_in_transaction_session_timeout: string };
  /** Whether statements are compiled that PostgreSQL estimates high (`jit`). */
  compiles: boolean;
};

const OTHERS = { web: ["worker", "app"], worker: ["web", "app"], signer: ["web", "worker", "app"] };
/** A table that each process reads: the signer knows nothing of the ledger. */
const READ_BY = { web: "ledger_entries", worker: "ledger_entries", signer: "signing_journal" };

/** As whom we work, and under which limits: said at the start of a connection, or by the log-in role's own settings. */
export async function readSession(db: Database, kind: ProcessKind): Promise<Session> {
  const others = sql.join(
    OTHERS[kind].map((suffix) => sql`${suffix}`),
    sql`, `,
  );
  const [row] = await db.execute<Omit<Session, "timeouts"> & Session["timeouts"]>(sql`
    select current_user as user,
      pg_has_role(current_user, relowner, 'usage') or has_table_privilege(oid, 'update, delete, truncate') as "isOwner",
      has_table_privilege(${READ_BY[kind]}, 'select') as "mayRead", session_user as login,
      pg_has_role(session_user, relowner, 'member') or exists (select from pg_roles where (rolsuper or rolbypassrls or rolcreaterole)
        and pg_has_role(session_user, oid, 'member')) as "loginRules",
      exists (select from pg_roles where rolname like ${`%\\_${kind}`} and pg_has_role(session_user, oid, 'member')) as "isOfProcess",
      array(select other.rolname::text from pg_roles own, pg_roles other, unnest(array[${others}]) as suffix
        where pg_has_role(session_user, own.oid, 'member') and own.rolname like ${`%\\_${kind}`}
          and other.rolname = left(own.rolname, ${-kind.length}) || suffix and pg_has_role(session_user, other.oid, 'member') order by 1) as "otherRoles",
      current_setting('jit')::boolean as compiles,
      current_setting('statement_timeout') as statement_timeout,
      current_setting('lock_timeout') as lock_timeout,
      current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout
    from pg_class where oid = 'ledger_entries'::regclass`);
  if (!row) throw new Error("there is no ledger");
  const { user, isOwner, mayRead, login, loginRules, isOfProcess, otherRoles, compiles, ...timeouts } = row;
  return { user, isOwner, mayRead, login, loginRules, isOfProcess, otherRoles, compiles, timeouts };
}

/** How the database's tables are laid out. Only Citus's layout has that table. */
export async function readLaidOut(db: Database): Promise<Layout> {
  const [row] = await db.execute<{ layout: Layout }>(
    sql`select case when to_regclass('public.citus_nonces') is null then 'whole' else 'citus' end as layout`,
  );
  if (!row) throw new Error("the database says nothing of its tables");
  return row.layout;
}

/**
 * What the log-in can write, directly or as a role that it can become: tables, and functions that write as their owner. One that is not declared
 * volatile cannot change the database.
 */
export async function listWritable(db: Database): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select distinct c.relname::text as name from pg_class c, pg_roles r
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and pg_has_role(session_user, r.oid, 'member')
      and (has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate') or has_any_column_privilege(r.oid, c.oid, 'insert, update'))
    union select p.proname::text from pg_proc p, pg_roles r
    where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.provolatile = 'v' and pg_has_role(session_user, r.oid, 'member')
      and has_function_privilege(r.oid, p.oid, 'execute')
    order by 1`);
  return rows.map(({ name }) => name);
}

/**
 * What the log-in can write that its process's role cannot, by rights that were given to it or to another role that it can become: tables,
 * functions that write as their owner, and PostgreSQL's own roles that write everything.
 */
export async function listExcess(db: Database, kind: ProcessKind): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    with own as (select oid from pg_roles where rolname like ${`%\\_${kind}`} and pg_has_role(session_user, oid, 'member')),
    more as (select oid, rolname from pg_roles r where pg_has_role(session_user, oid, 'member')
      and not exists (select from own where pg_has_role(own.oid, r.oid, 'member')))
    select c.relname::text as name from pg_class c, aclexplode(c.relacl) a join more on more.oid = a.grantee
    where c.relnamespace = 'public'::regnamespace and a.privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
      and c.relkind in ('r', 'p', 'v') and not exists (select from own where has_table_privilege(own.oid, c.oid, a.privilege_type))
    union select c.relname::text from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attacl is not null,
      aclexplode(t.attacl) a join more on more.oid = a.grantee
    where c.relnamespace = 'public'::regnamespace and a.privilege_type in ('INSERT', 'UPDATE')
      and not exists (select from own where has_column_privilege(own.oid, c.oid, t.attnum, a.privilege_type))
    union select p.proname::text from pg_proc p, aclexplode(p.proacl) a join more on more.oid = a.grantee
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
      and not exists (select from own where has_function_privilege(own.oid, p.oid, 'execute'))
    union select rolname::text from more where rolname in ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
    order by 1`);
  return rows.map(({ name }) => name);
}

/** Whether a commit of this connection waits until a standby has it, too. */
export async function readReplication(db: Database): Promise<Replication> {
  const rows = await db.execute<{ standbys: string; commit: string }>(sql`
    select current_setting('synchronous_standby_names') as standbys, current_setting('synchronous_commit') as commit`);
  const { standbys = "", commit = "off" } = rows[0] ?? {};
  return { isSynchronous: standbys.trim() !== "" && commit !== "off" && commit !== "local" };
}

/** What a sandbox leaves in a database and a live service must never find there. */
export type SandboxTraces = { movedClock: boolean; developmentChain: boolean; fixedRates: boolean; demoUsers: boolean };

// Citus reads no subquery without a column.
export async function findSandboxTraces(db: Database, developmentChains: readonly string[]): Promise<SandboxTraces> {
  const chains = sql`(select jsonb_array_elements_text(${JSON.stringify(developmentChains)}::jsonb))`;
  const [row] = await db.execute<SandboxTraces>(sql`
    select exists (select 1 from business_clock) as "movedClock",
      exists (select 1 from pair_terms where chain in ${chains}) or exists (select 1 from wallets where chain in ${chains})
        or exists (select 1 from settlements where chain in ${chains}) as "developmentChain",
      exists (select 1 from exchange_rates where stale_at is null) as "fixedRates",
      exists (select 1 from users where email like '%.example') as "demoUsers"`);
  if (row === undefined) throw new Error("the database did not answer");
  return row;
}
