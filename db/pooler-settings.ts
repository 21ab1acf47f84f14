import postgres from "postgres";

/** What PgBouncer is set to, by name. The log-in is one of its `stats_users` or `admin_users`. @throws Error if PgBouncer refuses it. */
export async function readPoolerSettings(databaseUrl: string): Promise<Record<string, string>> {
  const url = new URL(databaseUrl);
  url.pathname = "/pgbouncer";
  // Its console knows no types, and no statements with values.
  const sql = postgres(url.href, { max: 1, connect_timeout: 2, fetch_types: false, prepare: false, onnotice: () => {} });
  try {
    const rows = await sql.unsafe<{ key: string; value: string }[]>("show config");
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  } finally {
    await sql.end({ timeout: 1 });
  }
}
