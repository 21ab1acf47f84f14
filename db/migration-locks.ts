import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

/** A migration that waits for a lock makes everybody wait behind it: it gives up after this, and tries again. */
export const LOCK_TIMEOUT_MS = 3_000;
const TRIES = 60;
const PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = "55P03";

/** Repeats what gave up a lock, for some minutes. */
export async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof postgres.PostgresError) || error.code !== LOCK_NOT_AVAILABLE || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** What a statement locks of the tables that there are; whatever conflicts with what the service does. */
const LOCKS: readonly { mode: string; pattern: RegExp }[] = [
  { mode: "access exclusive", pattern: /^alter table (?:only )?(?:"?public"?\.)?"?(\w+)"?(?![^;]*\bvalidate constraint\b)/i },
  { mode: "share row exclusive", pattern: /^create (?:or replace )?(?:constraint )?trigger\b[^;]*?\bon (?:"?public"?\.)?"?(\w+)"?/i },
  { mode: "share row exclusive", pattern: /^(?:create|alter) table\b[^;]*\breferences (?:"?public"?\.)?"?(\w+)"?/i },
];

/** The tables that a migration's statements lock, each with the strongest lock that any of them takes. */
export function locksOf(statements: readonly string[]): ReadonlyMap<string, string> {
  const plain = statements.map((text) => text.replaceAll(/--[^\n]*/g, "").trim());
  const found = LOCKS.toReversed().flatMap(({ mode, pattern }) =>
    plain.flatMap((text) => {
      const table = pattern.exec(text)?.[1];
      return table === undefined ? [] : [[table, mode] as const];
    }),
  );
  return new Map(found);
}

/**
 * Takes all locks of a migration at the beginning: the first one patiently, the others within less time than PostgreSQL waits before its
 * deadlock check. A reader of several tables then waits for the migration, or the migration gives up. If it took the locks one by one
 * between its steps, PostgreSQL would break a deadlock by ending either, as likely the reader.
 */
export async function lockTables(tx: postgres.TransactionSql, locks: ReadonlyMap<string, string>): Promise<void> {
  const wanted = [...locks].map(([table, mode]) => ({ table, mode }));
  await tx`select set_config('migration.locks', ${JSON.stringify(wanted)}, true)`;
  await tx.unsafe(TAKE_LOCKS);
}

/** On the server's side: with a round trip between two locks nobody could promise how long it takes. */
const TAKE_LOCKS = `do $$
declare
  patience constant text := current_setting('lock_timeout');
  most constant interval := current_setting('deadlock_timeout')::interval * 0.6;
  wanted record;
  until timestamptz;
begin
  for wanted in
    select t->>'table' as name, t->>'mode' as mode from jsonb_array_elements(current_setting('migration.locks')::jsonb) as t
    where to_regclass('public.' || quote_ident(t->>'table')) is not null order by name
  loop
    execute format('lock table public.%I in %s mode', wanted.name, wanted.mode);
    until := coalesce(until, clock_timestamp() + most);
    perform set_config('lock_timeout', greatest(1, floor(extract(epoch from until - clock_timestamp()) * 1000))::text, true);
  end loop;
  perform set_config('lock_timeout', patience, true);
end
$$`;
