import type postgres from "postgres";
import { serverUrl, withConnection } from "#sandbox/postgres/server.ts";

/** The service's database as it was before anything happened in it; there for as long as the history is still to be made. */
const FRESH = "settlement_fresh";
/** In which the history is lived through. */
const PAST = "settlement_past";

/** Of the embedded server's superuser: the service's own role cannot create databases. */
export type Administrator = { port: number; password: string };

/** Keeps a copy of the database that was just made. Nobody may be connected to it. */
export async function keepFresh(administrator: Administrator): Promise<void> {
  await asAdministrator(administrator, (sql) => sql.unsafe(`create database ${FRESH} template settlement owner settlement`));
}

/** Whether a history was begun and not finished. */
export async function freshIsKept(administrator: Administrator): Promise<boolean> {
  const found = await asAdministrator(administrator, (sql) => sql`select 1 from pg_database where datname = ${FRESH}`);
  return found.length > 0;
}

/** A past to live through from its beginning; what an earlier attempt left is forgotten. Answers its URL as the service's role. */
export async function beginPast(administrator: Administrator, serviceUrl: string): Promise<string> {
  await asAdministrator(administrator, async (sql) => {
    await sql.unsafe(`drop database if exists ${PAST} with (force)`);
    await sql.unsafe(`create database ${PAST} template ${FRESH} owner settlement`);
  });
  const url = new URL(serviceUrl);
  url.pathname = `/${PAST}`;
  return url.href;
}

/** After the end, successful or not: there is no second attempt. */
export async function forgetPast(administrator: Administrator): Promise<void> {
  await asAdministrator(administrator, async (sql) => {
    await sql.unsafe(`drop database if exists ${PAST} with (force)`);
    await sql.unsafe(`drop database if exists ${FRESH} with (force)`);
  });
}

function asAdministrator<Result>(administrator: Administrator, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  return withConnection(serverUrl(administrator, "postgres"), work);
}
