import { createHmac } from "node:crypto";
import postgres from "postgres";
import { applicationRole, serviceLogin } from "./application-role.ts";
import { SESSION_SETTINGS } from "./client.ts";

/** Starts at once, of which one makes the log-in. */
const TURN = 7355613;

/**
 * A log-in for web and worker where only the owner's URL is configured. It owns nothing, may only act as the application's role, and has
 * the settings that every session needs, also through a pooler. Its password is derived from the owner's, so that every start on any
 * machine gets the same one. It does not reveal the owner's.
 *
 * @param ownerUrl of the database's owner, who may create roles, bypassing any pooler; `migrate` has run
 * @returns the URL with that log-in; null: the server only accepts the owner (by a socket's user, for example)
 */
export async function provideServiceLogin(ownerUrl: string): Promise<string | null> {
  const url = new URL(ownerUrl);
  const database = decodeURIComponent(url.pathname.slice(1));
  const login = serviceLogin(database);
  const password = createHmac("sha256", decodeURIComponent(url.password)).update(`log-in of the service to ${database}`).digest("hex");
  await provide(ownerUrl, { login, password, role: applicationRole(database) });
  url.username = encodeURIComponent(login);
  if (url.password !== "") url.password = password;
  return (await letsIn(url.href)) ? url.href : null;
}

async function provide(ownerUrl: string, { login, password, role }: { login: string; password: string; role: string }): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, connect_timeout: 5, onnotice: () => {}, connection: { role: "none" } });
  try {
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
