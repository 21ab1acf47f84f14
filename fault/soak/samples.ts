import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { pidsOf, residentMb } from "#bench/processes.ts";
import { isOpenTransfer, TRANSFER_STATES } from "#domain/transfer.ts";
import type { World } from "#fault/world.ts";
import type { Seen } from "./load.ts";
import type { Elders } from "./troubles.ts";

/** What a table and its indexes have grown to, and how many rows wait for a vacuum. */
const Table = z.object({ name: z.string(), rowBytes: z.number(), indexBytes: z.number(), live: z.number(), dead: z.number() });
const Index = z.object({ name: z.string(), bytes: z.number() });

export const Sample = z.object({
  minute: z.number(),
  perSecond: z.number(),
  heldBack: z.number(),
  answeredLater: z.number(),
  createMs: z.object({ p50: z.number(), p99: z.number() }),
  confirmMs: z.object({ p50: z.number(), p99: z.number() }),
  settlements: z.number(),
  oldestUnpaidSeconds: z.number(),
  callbacksOutstanding: z.number(),
  /** Resident memory of each process by its name, in MB; of PostgreSQL and the chain, what they do not share. */
  memoryMb: z.record(z.string(), z.number()),
  tables: z.array(Table),
  indexes: z.array(Index),
  databaseBytes: z.number(),
  walBytes: z.number(),
  filesBytes: z.number(),
});
export type Sample = z.infer<typeof Sample>;

const MOST_NAMED = 8;

/** The value below which this share lies; of none 0. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
}

const spreadOf = (values: readonly number[]) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });

type Since = { seen: Seen; settlements: number; seconds: number; minute: number; elders: Elders };

/** Everything that may grow, at this moment. @throws while the database is away. */
export async function sample(world: World, { seen, settlements, seconds, minute, elders }: Since): Promise<Sample> {
  const { owner } = world.database;
  const [now] = await owner<Pick<Sample, "oldestUnpaidSeconds" | "callbacksOutstanding" | "databaseBytes" | "walBytes">[]>`
    select coalesce((select extract(epoch from clock_timestamp() - min(created_at)) from transfers
        where state = any(${TRANSFER_STATES.filter(isOpenTransfer)})), 0)::float8 as "oldestUnpaidSeconds",
      (select count(*) from callbacks where due_at is not null)::float8 as "callbacksOutstanding",
      pg_database_size(current_database())::float8 as "databaseBytes",
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes"`;
  if (now === undefined) throw new Error("the database did not answer");
  const tables = await owner<z.infer<typeof Table>[]>`
    select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, sum(pg_table_size(c.oid))::float8 as "rowBytes",
      sum(pg_indexes_size(c.oid))::float8 as "indexBytes", sum(s.n_live_tup)::float8 as live, sum(s.n_dead_tup)::float8 as dead
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid where c.relnamespace = 'public'::regnamespace
    group by 1 order by sum(pg_total_relation_size(c.oid)) desc limit ${MOST_NAMED}`;
  const indexes = await owner<z.infer<typeof Index>[]>`
    select relname as name, pg_relation_size(oid)::float8 as bytes from pg_class
    where relkind = 'i' and relnamespace = 'public'::regnamespace order by 2 desc limit ${MOST_NAMED}`;
  return {
    minute,
    settlements,
    perSecond: Math.round((seen.confirmed / seconds) * 100) / 100,
    heldBack: seen.heldBack,
    answeredLater: seen.answeredLater,
    createMs: spreadOf(seen.createMs),
    confirmMs: spreadOf(seen.confirmMs),
    ...now,
    oldestUnpaidSeconds: Math.round(now.oldestUnpaidSeconds * 10) / 10,
    memoryMb: memory(elders),
    tables: [...tables],
    indexes: [...indexes],
    filesBytes: bytesBelow(world.stage.directory),
  };
}

function memory(elders: Elders): Sample["memoryMb"] {
  const sum = (kind: Parameters<typeof pidsOf>[0], what: "VmRSS" | "RssAnon") =>
    pidsOf(kind).reduce((total, pid) => total + (residentMb(pid, what) || 0), 0);
  const all = {
    web: residentMb(elders.web),
    worker: residentMb(elders.worker),
    signer: sum("signer", "VmRSS"),
    PostgreSQL: sum("PostgreSQL", "RssAnon"),
    chain: sum("chain", "RssAnon"),
    driver: process.memoryUsage().rss / 1_048_576,
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, Math.round((value || 0) * 10) / 10]));
}

/** What the processes have written: logs and the signing journal. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
}
