import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { keepRetention } from "#server/services/maintenance/keep-retention.ts";
import { silentLog } from "#testing/callbacks.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { WORK } from "./growth.ts";
import { spent } from "./processes.ts";
import { table } from "./report.ts";
import { median } from "./rounds.ts";
import { seedYear } from "./year-seed.ts";

type Sampling = { rows: readonly number[]; calls: number };
/** `cpuMs`: PostgreSQL's. */
type Figure = { name: string; ms: number; cpuMs: number };

/** Settlements that a slice of the audit is about. */
const AUDITED = 1_000;
const SLICES = 5;
const SETTLE_MS = 3_000;
const GB = 2 ** 30;

/**
 * What calls, duties and upkeep cost on a year of so many settlements, one size after the other: the disk need not hold two. Each size has
 * its own database, and costs are relative to the first.
 */
export async function measureYear(server: BenchServer, { rows, calls }: Sampling): Promise<string> {
  const sizes: { rows: number; bytes: number; figures: Figure[] }[] = [];
  for (const count of rows) {
    await server.withDatabase(async (database) => {
      await seedYear(database.owner, count);
      const [size] = await database.owner<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
      const figures = [...(await callsOn(database, calls)), ...(await dutiesOn(database, count)), ...(await upkeepOf(server, database))];
      sizes.push({ rows: count, bytes: size?.bytes ?? 0, figures });
    });
  }
  const [first] = sizes;
  if (first === undefined) throw new Error("no size was asked for");
  const head = sizes.flatMap(({ rows: count }) => [`ms at ${count.toLocaleString("en")}`, "PostgreSQL's CPU", "cost"]);
  const lines = first.figures.map(({ name }, index) => [
    name,
    ...sizes.flatMap(({ figures }) => {
      const [own, base] = [figures[index], first.figures[index]];
      if (own === undefined || base === undefined) return ["", "", ""];
      return [own.ms.toFixed(own.ms < 100 ? 2 : 0), own.cpuMs.toFixed(own.cpuMs < 100 ? 2 : 0), `${(own.ms / base.ms).toFixed(2)}×`];
    }),
  ]);
  const held = sizes.map(
    ({ rows: count, bytes }) =>
      `${count.toLocaleString("en")} settlements take ${(bytes / GB).toFixed(2)} GB, ${(bytes / 1_024 / count).toFixed(1)} KB each`,
  );
  return `${held.join("; ")}.\n\n${table(["What", ...head], lines)}`;
}

/** The median of so many, and PostgreSQL's share of one. */
async function timed(name: string, times: number, work: (number: number) => Promise<unknown>): Promise<Figure> {
  const taken: number[] = [];
  const { cpuMs } = await spent(async () => {
    for (let number = 0; number < times; number += 1) {
      const began = performance.now();
      await work(number);
      taken.push(performance.now() - began);
    }
  });
  return { name, ms: median(taken), cpuMs: (cpuMs.PostgreSQL ?? 0) / times };
}

/** The calls of `growth`, each kind warmed up. */
async function callsOn(database: BenchDatabase, calls: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, prepare] of Object.entries(WORK)) {
    const warm = await prepare(database, Math.ceil(calls / 4));
    for (let number = 0; number < Math.ceil(calls / 4); number += 1) await warm(number);
    figures.push(await timed(name, calls, await prepare(database, calls)));
  }
  return figures;
}

/** What the worker does besides paying. A pass of retention archives up to 500 rows of each kind. */
async function dutiesOn({ db, owner }: BenchDatabase, rows: number): Promise<Figure[]> {
  const [newest] = await owner<
    { since: Date }[]
  >`select created_at as since from settlements order by created_at desc, id desc offset ${Math.min(AUDITED, rows - 1)} limit 1`;
  const since = newest?.since ?? null;
  return [
    await timed(`the audit of the newest ${AUDITED} settlements`, SLICES, () => auditDatabase({ db }, { since })),
    await timed("a pass of retention", SLICES, () => keepRetention({ db, log: silentLog }, DEFAULT_RETENTION)),
  ];
}

/** A vacuum after some of each table's rows have changed, and a copy of the whole database. */
async function upkeepOf(server: BenchServer, database: BenchDatabase): Promise<Figure[]> {
  const { owner } = database;
  await owner`update callbacks set failing_since = null where id in (select id from callbacks order by id desc limit 1000)`;
  await sleep(SETTLE_MS);
  const vacuum = await timed("a vacuum of all tables, 1,000 rows changed", 1, () => owner`vacuum`);
  let putBack = async () => {};
  const copy = await timed("a copy of the database's files", 1, async () => {
    putBack = await server.keepBackup(database);
  });
  await putBack();
  return [vacuum, copy];
}
