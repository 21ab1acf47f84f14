import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { applicationRole } from "./application-role.ts";

/** Tables of which the application may only add rows. */
const APPEND_ONLY = [
  "audit_entries",
  "audit_seals",
  "audit_verifications",
  "settlement_quotes",
  "settlement_approvals",
  "pair_terms",
  "provider_events",
  "ledger_entries",
  "ledger_postings",
  "ledger_snapshots",
  "transfer_proofs",
];

/**
 * Brings a database to the newest schema and makes the role that the application works as: it owns nothing and can neither
 * change the schema nor rewrite the append-only tables. Safe to run at every start and from several processes at once.
 *
 * @returns the role's name, derived from the database's, for `openDatabase({ role })`.
 */
export async function migrate(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 5 });
  try {
    await sql`select pg_advisory_lock(7355608)`;
    await applyMigrations(drizzle(sql), { migrationsFolder: fileURLToPath(new URL("./migrations", import.meta.url)) });
    return await grantToApplication(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function grantToApplication(sql: postgres.Sql): Promise<string> {
  const [database] = await sql<{ name: string }[]>`select current_database() as name`;
  const role = applicationRole(database?.name ?? "");
  const name = sql(role);
  const existing = await sql`select 1 from pg_roles where rolname = ${role}`;
  if (existing.length === 0) await sql`create role ${name} nologin`;
  // From PostgreSQL 16 on, having made a role does not include the right to work as it.
  await sql`grant ${name} to current_user`;
  await sql`grant usage on schema public to ${name}`;
  await sql`grant select, insert, update, delete on all tables in schema public to ${name}`;
  for (const table of APPEND_ONLY) await sql`revoke update, delete on ${sql(table)} from ${name}`;
  return role;
}
