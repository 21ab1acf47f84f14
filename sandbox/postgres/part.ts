import { logFile } from "#sandbox/data-directory.ts";
import type { Part } from "#server/process/supervisor.ts";
import { postgresBinaries } from "./binaries.ts";
import { dataPlace, SYSTEM_FOLDER } from "./data-place.ts";
import { postgresIdentity } from "./identity.ts";
import { initCluster, type ServerOptions, serverUrl, startServer, withConnection } from "./server.ts";

export type EmbeddedPostgres = { part: Part; databaseUrl: string; administrator: { port: number; password: string } };

/** The sandbox's own PostgreSQL, its data in (or next to) the data directory, with the service's role and database in it. */
export async function embeddedPostgres(
  directory: string,
  port: number,
  passwords: { superuser: string; role: string },
): Promise<EmbeddedPostgres> {
  const identity = postgresIdentity();
  const options: ServerOptions = {
    binaries: postgresBinaries(identity, identity === null ? directory : SYSTEM_FOLDER),
    data: await dataPlace(directory, identity),
    logFile: logFile(directory, "postgres"),
    port,
    password: passwords.superuser,
    identity,
    durable: true,
  };
  const start = async () => {
    await initCluster(options);
    const server = await startServer(options);
    await ensureDatabase(options, passwords.role);
    return server;
  };
  const administrator = { port, password: passwords.superuser };
  return { part: { name: "PostgreSQL", start }, databaseUrl: databaseUrlAt(port, passwords.role), administrator };
}

/** As the service's role. */
export function databaseUrlAt(port: number, password: string): string {
  return `postgres://settlement:${password}@127.0.0.1:${port}/settlement`;
}

/** The role owns its database and may create roles, but is not a superuser, as in `DATABASE_URL`. */
async function ensureDatabase(options: ServerOptions, password: string): Promise<void> {
  await withConnection(serverUrl(options, "postgres"), async (sql) => {
    const roles = await sql`select 1 from pg_roles where rolname = 'settlement'`;
    if (roles.length === 0) await sql.unsafe("create role settlement login createrole");
    await sql.unsafe(`alter role settlement password '${password}'`); // our own hexadecimal digits
    const databases = await sql`select 1 from pg_database where datname = 'settlement'`;
    if (databases.length === 0) await sql.unsafe("create database settlement owner settlement");
  });
}
