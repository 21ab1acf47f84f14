import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { compareSchema, SCHEMA_SENTENCES } from "#db/queries/maintenance/schema-state.ts";
import { applicationRole, partnerRole, processRole } from "./application-role.ts";
import { applyMigration } from "./apply-migration.ts";
import { assertNodes, distributeTables, letRolesThrough, usesCitus } from "./citus.ts";
import { withCertificate } from "./driver/client-certificate.ts";
import { grantRights } from "./grant-rights.ts";
import { SORTS_IDS, UNSORTED_IDS } from "./id-order.ts";
import type { Layout } from "./layout.ts";
import { type Migration, oldestCompanion, readMigrations, readReleases } from "./migration-files.ts";
import { LOCK_TIMEOUT_MS, patiently } from "./migration-locks.ts";
import { applyPolicies } from "./policies.ts";
import { applyVacuumSettings } from "./vacuum-settings.ts";

/** Tables of which the application's role may only add rows. */
const APPEND_ONLY = [
  "audit_entries",
  "audit_seals",
  "audit_verifications",
  "settlement_quotes",
  "settlement_approvals",
  "approval_policies",
  "approval_demands",
  "pair_terms",
  "provider_events",
  "ledger_entries",
  "ledger_postings",
  "ledger_snapshots",
  "transfer_proofs",
  "network_fees",
  "unexplained_payments",
  "attestations",
  "treasury_books",
];

/** The operator's own figures and its worker's: a partner's work reads them at most. */
const OPERATOR = [
  "adrift_places",
  "approval_policies",
  "attestations",
  "audit_seals",
  "audit_verifications",
  "brought_safes",
  "exposure_limits",
  "ledger_snapshots",
  "network_fees",
  "pair_terms",
  "proposals",
  "reconciliations",
  "suspense_lines",
  "transaction_attempts",
  "transactions",
  "transfer_proofs",
  "treasury_books",
  "treasury_cursors",
  "unexplained_payments",
  "wallet_balances",
];

/** The database sorts ids in another order than that of their time. */
export class UnfitOrder extends Error {
  override readonly name = "UnfitOrder";
}

const TURN_PAUSE_MS = 200;

/** The schema is unknown to this version, which must not touch it. */
export class UnknownSchema extends Error {
  override readonly name = "UnknownSchema";
}

/** Roles are missing, and this log-in may not create them. */
export class MissingRoles extends Error {
  override readonly name = "MissingRoles";
}

/**
 * Brings a database to the newest schema and creates the roles of the service, which own nothing and can neither change the schema nor
 * rewrite the append-only tables. Safe at every start and from several processes at once, also while the previous version still runs
 * (docs/decisions/migrations.md). Needs a direct connection as the database's owner. `layout`: chosen while the database is empty, and kept
 * from then on.
 *
 * @returns the name of the role with the rights of all processes, for operators' commands and tests (`openDatabase({ role })`).
 * @throws UnknownSchema
 * @throws MissingRoles
 * @throws UnfitOrder
 * @throws NotEmpty
 * @throws NoCitus
 */
export async function migrate(url: string, migrations = readMigrations(), layout: Layout = "whole"): Promise<string> {
  // Overrides settings of the log-in role: migrations need the owner's rights and the time to build an index.
  const connection = { role: "none", lock_timeout: 0, statement_timeout: 0 };
  const sql = postgres(...withCertificate(url, { max: 1, onnotice: () => {}, connect_timeout: 5, connection }));
  try {
    await awaitTurn(sql);
    await sql.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await assertOrder(sql);
    const isPlaced = await usesCitus(sql);
    const onCitus = layout === "citus" || isPlaced;
    if (onCitus) await assertNodes(sql);
    await prepareRecord(sql);
    const missing = await findMissing(sql, migrations);
    for (const migration of missing) await patiently(() => applyMigration(sql, migration, isPlaced));
    if (missing.length > 0) await recordCompanion(sql, oldestCompanion(migrations, readReleases()));
    if (onCitus) await patiently(() => distributeTables(sql));
    await compileNothing(sql);
    await patiently(() => applyVacuumSettings(sql));
    const application = await grantToRoles(sql, onCitus);
    if (onCitus) await letRolesThrough(sql);
    return application;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function assertOrder(sql: postgres.Sql): Promise<void> {
  const [row] = await sql.unsafe<{ sorts: boolean }[]>(`select ${SORTS_IDS} as sorts`);
  if (row?.sorts !== true) throw new UnfitOrder(UNSORTED_IDS);
}

/**
 * One process at a time; another one's migrations may take as long as they need. It polls for the lock: a waiting statement would keep a
 * snapshot open, a `concurrently` index build waits for old snapshots, and neither would end.
 */
async function awaitTurn(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [turn] = await sql<{ ours: boolean }[]>`select pg_try_advisory_lock(7355608) as ours`;
    if (turn?.ours) return;
    await sleep(TURN_PAUSE_MS);
  }
}

/** The record of applied migrations, in the format of drizzle's own migrator. */
async function prepareRecord(sql: postgres.Sql): Promise<void> {
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
}

/** How many migrations a program must know at least to run on this schema: programs of another version ask before they start. */
async function recordCompanion(sql: postgres.Sql, oldest: number): Promise<void> {
  await sql.unsafe(`comment on table drizzle.__drizzle_migrations is '${oldest}'`);
}

async function findMissing(sql: postgres.Sql, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await sql<{ hash: string; oldest: string | null }[]>`
    select hash, obj_description('drizzle.__drizzle_migrations'::regclass, 'pg_class') as oldest
    from drizzle.__drizzle_migrations order by id`;
  const hashes = applied.map(({ hash }) => hash);
  const state = compareSchema(hashes, Number(applied[0]?.oldest ?? Number.POSITIVE_INFINITY), migrations);
  if (state === "newer" || state === "foreign") throw new UnknownSchema(SCHEMA_SENTENCES[state]);
  return migrations.slice(hashes.length);
}

/** A setting of the database, which its owner may make: sessions that a pooler opens have it, too. Those that are open keep what they have. */
async function compileNothing(sql: postgres.Sql): Promise<void> {
  const [ours] = await sql<{ name: string }[]>`
    select datname as name from pg_database where datname = current_database() and pg_has_role(current_user, datdba, 'usage')`;
  if (ours !== undefined) await sql`alter database ${sql(ours.name)} set jit = off`;
}

/**
 * The roles of web, worker and signer, of a partner's request in each, and those of the release before, which has one role for both processes and
 * may still run.
 */
async function grantToRoles(sql: postgres.Sql, onCitus: boolean): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  const database = row?.name ?? "";
  const application = applicationRole(database);
  const formerPartner = partnerRole(application);
  const web = processRole(database, "web");
  const worker = processRole(database, "worker");
  const signer = processRole(database, "signer");
  const partner = partnerRole(web);
  await createRoles(sql, [application, formerPartner, web, partner, worker, signer], onCitus ? "login" : "nologin");
  for (const role of [application, formerPartner]) await grantTo(sql, role);
  for (const table of await existingTables(sql, OPERATOR))
    await sql`revoke insert, update, delete on ${sql(table)} from ${sql(formerPartner)}`;
  await sql`grant ${sql(formerPartner)} to ${sql(application)}`;
  await sql`grant ${sql(partner)} to ${sql(web)}`;
  await patiently(() => grantRights(sql, { web, partner, worker, signer, application, formerPartner }));
  await patiently(() => applyPolicies(sql, { application, web, worker, signer, partner, formerPartner }, onCitus));
  return application;
}

/**
 * Only those that are missing: a database's owner who may not create roles migrates where somebody else has made them. On Citus they log in on
 * the nodes (`letRolesThrough`).
 */
async function createRoles(sql: postgres.Sql, roles: readonly string[], login: "login" | "nologin"): Promise<void> {
  const existing = await sql<{ name: string; ours: boolean }[]>`
    select rolname as name, pg_has_role(current_user, oid, 'member') as ours from pg_roles where rolname = any(${[...roles]})`;
  const missing = roles.filter((role) => !existing.some(({ name }) => name === role));
  const [who] = await sql<{ user: string; mayCreate: boolean }[]>`
    select current_user as user, rolcreaterole or rolsuper as "mayCreate" from pg_roles where rolname = current_user`;
  if (missing.length > 0 && who?.mayCreate === false) {
    const statements = missing.map((role) => `create role "${role}" ${login}; grant "${role}" to "${who.user}" with admin option;`);
    throw new MissingRoles(`The role ${who.user} may not create roles. As a superuser run: ${statements.join(" ")}`);
  }
  for (const role of missing) await sql.unsafe(`create role "${role}" ${login}`);
  // From PostgreSQL 16 on, having made a role does not include the right to work as it.
  for (const role of roles) if (!existing.some(({ name, ours }) => name === role && ours)) await sql`grant ${sql(role)} to current_user`;
}

async function grantTo(sql: postgres.Sql, role: string): Promise<void> {
  const name = sql(role);
  await sql`grant usage on schema public, drizzle to ${name}`;
  await sql`grant select on drizzle.__drizzle_migrations to ${name}`;
  await sql`grant select, insert, update, delete on all tables in schema public to ${name}`;
  for (const table of await existingTables(sql, APPEND_ONLY)) await sql`revoke update, delete on ${sql(table)} from ${name}`;
  // Only its own function writes to the archive, and nobody changes it. A view works with its owner's rights, which no policy limits.
  const onlyRead = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and (relkind = 'v' or relkind in ('r', 'p') and relname like 'archived\\_rows%')`;
  for (const table of onlyRead) await sql`revoke insert, update, delete on ${sql(table.name)} from ${name}`;
}

/** The existing tables among these: a database at an earlier schema lacks some. */
async function existingTables(sql: postgres.Sql, tables: readonly string[]): Promise<string[]> {
  const found = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename = any(${[...tables]})`;
  return found.map(({ name }) => name);
}
