import { createHmac } from "node:crypto";
import postgres from "postgres";
import { type ProcessKind, processRole, serviceLogin } from "./application-role.ts";
import { SESSION_SETTINGS } from "./client.ts";

/** Starts at once, of which one makes the log-in. */
const TURN = 7355613;

/** The URLs with the log-ins of web, worker and signer. */
export type ServiceLogins = Record<ProcessKind, string>;

/**
 * Log-ins for web, worker and signer where only the owner's URL is configured. Each owns nothing, may only act as its process's role, and has the
 * settings that every session needs, also through a pooler. Passwords are derived from the owner's, so that every start on any machine
 * gets the same ones. They do not reveal the owner's, nor each other.
 *
 * @param ownerUrl of the database's owner, bypassing any pooler; `migrate` has run
 * @returns null: the owner may not create roles, or the server only accepts the owner (by a socket's user, for example)
 */
export async function provideServiceLogins(ownerUrl: string): Promise<ServiceLogins | null> {
  const web = await provideLogin(ownerUrl, "web");
  const worker = await provideLogin(ownerUrl, "worker");
  const signer = await provideLogin(ownerUrl, "signer");
  return web === null || worker === null || signer === null ? null : { web, worker, signer };
}

async function provideLogin(ownerUrl: string, kind: ProcessKind): Promise<string | null> {
  const url = new URL(ownerUrl);
  const database = decodeURIComponent(url.pathname.slice(1));
  const login = serviceLogin(database, kind);
  const password = createHmac("sha256", decodeURIComponent(url.password)).update(`log-in of the ${kind} to ${database}`).digest("hex");
  if (!(await provide(ownerUrl, { login, password, role: processRole(database, kind) }))) return null;
  url.username = encodeURIComponent(login);
  if (url.password !== "") url.password = password;
  return (await letsIn(url.href)) ? url.href : null;
}

/** False: the owner may not create roles. */
async function provide(ownerUrl: string, { login, password, role }: { login: string; password: string; role: string }): Promise<boolean> {
  const sql = postgres(ownerUrl, { max: 1, connect_timeout: 5, onnotice: () => {}, connection: { role: "none" } });
  try {
    const [owner] = await sql<{ may: boolean }[]>`select rolcreaterole or rolsuper as may from pg_roles where rolname = current_user`;
    if (owner?.may !== true) return false;
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${TURN})`;
      const [existing] = await tx`select 1 from pg_roles where rolname = ${login}`;
      if (existing === undefined) await tx`create role ${tx(login)} login`;
      // Our own hexadecimal digits.
      const quoted = `"${login.replaceAll('"', '""')}"`;
      await tx.unsafe(`alter role ${quoted} password '${password}'`);
      for (const [name, value] of Object.entries(SESSION_SETTINGS)) await tx.unsafe(`alter role ${quoted} set ${name} = '${value}'`);
      await tx`grant ${tx(role)} to ${tx(login)}`;
    });
    return true;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function letsIn(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code.startsWith("28")) return false;
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
