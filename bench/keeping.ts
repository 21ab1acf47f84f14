import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { spent } from "./processes.ts";
import { table } from "./report.ts";

/** Kinds of temporary rows: as written to one table, and as they would be in partitions by time. */
type Kept = { name: string; table: string; row: string; key: string; batch: number };

const KEPT: readonly Kept[] = [
  {
    name: "nonces",
    table: "nonces",
    key: "burnt_at",
    batch: 5_000,
    row: "gen_random_uuid(), gen_random_uuid(), now() + n * interval '1 microsecond'",
  },
  {
    name: "requests in the API log",
    table: "api_requests",
    key: "id",
    batch: 500,
    row: `'req_' || lpad(n::text, 26, '0'), now(), gen_random_uuid(), gen_random_uuid(), null, 'settlement', 'createSettlement', 'POST', '/api/v1/settlements', '',
      201, null, 3.5, '203.0.113.7', false, 'tx_' || lpad(n::text, 26, '0'), null, null`,
  },
  {
    name: "entries of the audit log",
    table: "audit_entries",
    key: "id",
    batch: 500,
    row: `'au_' || lpad(n::text, 26, '0'), now(), gen_random_uuid(), 'api_key', gen_random_uuid()::text, 'settlement.created', 'tx_' || lpad(n::text, 26, '0'),
      null, '{"status": "quoted", "approval_state": null}', 'req_' || lpad(n::text, 26, '0')`,
  },
];

/**
 * The cost of deletion: rows written in batches, deleted in batches by age and vacuumed, as the service does, compared with the same rows
 * in a separate table that is dropped, like a partition by time. PostgreSQL's CPU, in microseconds per row.
 */
export async function measureKeeping(server: BenchServer, { rows }: { rows: number }): Promise<string> {
  return await server.withDatabase(async ({ owner }) => {
    const lines: string[][] = [];
    for (const kept of KEPT) lines.push(await keepingOf(owner, kept, rows));
    const head = ["written", "deleted", "vacuumed", "written as a part", "dropped", "what parts would save"];
    return `${rows.toLocaleString("en")} rows of each.\n\n${table(["PostgreSQL's CPU, µs a row", ...head], lines)}`;
  });
}

async function keepingOf(owner: BenchDatabase["owner"], { name, table: of, row, key, batch }: Kept, rows: number): Promise<string[]> {
  const cost = async (work: () => Promise<unknown>) => ((await spent(work)).cpuMs.PostgreSQL ?? 0) * (1_000 / rows);
  const one = `${of}_one`;
  const part = `${of}_part`;
  for (const copy of [one, part])
    await owner.unsafe(`create table ${copy} (like ${of} including defaults including constraints including indexes)`);
  const write = (into: string) => async () => {
    for (let from = 1; from <= rows; from += 500)
      await owner.unsafe(`insert into ${into} select ${row} from generate_series(${from}, ${from + 499}) as n`);
  };
  const remove = async () => {
    for (let left = rows; left > 0; left -= batch)
      await owner.unsafe(
        `delete from ${one} where ctid = any(array(select ctid from ${one} where ${key} is not null order by ${key} limit ${batch}))`,
      );
  };
  const [written, apart] = [await cost(write(one)), await cost(write(part))];
  await owner.unsafe("checkpoint").catch(() => {});
  const deleted = await cost(remove);
  const vacuumed = await cost(() => owner.unsafe(`vacuum ${one}`));
  const dropped = await cost(() => owner.unsafe(`drop table ${part}`));
  const saved = (deleted + vacuumed - dropped) / (written + deleted + vacuumed);
  await owner.unsafe(`drop table ${one}`);
  const figures = [written, deleted, vacuumed, apart, dropped].map((each) => each.toFixed(1));
  return [name, ...figures, `${(saved * 100).toFixed(0)} %`];
}
