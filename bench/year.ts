import { createReadStream, readdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import postgres from "postgres";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { keepRetention } from "#server/services/maintenance/keep-retention.ts";
import { silentLog } from "#testing/callbacks.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { WORK } from "./growth.ts";
import { spent } from "./processes.ts";
import { table } from "./report.ts";
import { median, turnsOf } from "./rounds.ts";
import { seedYear } from "./year-seed.ts";

/** `quiet`: the load average to wait for, once all databases are filled. */
type Sampling = { rows: readonly number[]; calls: number; quiet: number | null };
/** `cpuMs`: PostgreSQL's. */
type Figure = { name: string; ms: number; cpuMs: number };
type Year = { rows: number; database: BenchDatabase };

/** Settlements that a slice of the audit is about. */
const AUDITED = 1_000;
const ROUNDS = 4;
const SLICES = 5;
const SETTLE_MS = 3_000;
const GB = 2 ** 30;
const MILLION = 1_000_000;

/**
 * What calls, duties and upkeep cost on a year of so many settlements, in turns between the databases, all of which are filled first. Costs are
 * relative to the first size.
 */
export async function measureYear(server: BenchServer, { rows, calls, quiet }: Sampling): Promise<string> {
  if (server.data === undefined) throw new Error("a year is measured on a server that this run starts: unset BENCH_DATABASE_URL");
  return await withYears(server, rows, async (years) => {
    const held: string[] = [];
    for (const { rows: count, database } of years) {
      const [size] = await database.owner<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
      const bytes = size?.bytes ?? 0;
      held.push(
        `${count.toLocaleString("en")} settlements take ${(bytes / GB).toFixed(2)} GB, ${(bytes / 1_024 / count).toFixed(1)} KB each`,
      );
    }
    if (quiet !== null) await waitUntilQuiet(quiet);
    const lines = [...(await callsOn(years, calls)), ...(await dutiesOn(years)), ...(await upkeepOf(server, years))].map((figures) => [
      figures[0]?.name ?? "",
      ...figures.flatMap((own) => [digits(own.ms), digits(own.cpuMs), `${(own.ms / (figures[0]?.ms ?? own.ms)).toFixed(2)}×`]),
    ]);
    const head = years.flatMap(({ rows: count }) => [`ms at ${count.toLocaleString("en")}`, "PostgreSQL's CPU", "cost"]);
    const text = `${held.join("; ")}.\n\n${table(["What", ...head], lines)}`;
    // Dropping the databases may fail, and to fill them takes hours.
    process.stderr.write(`${text}\n`);
    return text;
  });
}

const digits = (ms: number) => ms.toFixed(ms < 100 ? 2 : 0);

/** Disk full, or cancelled by a person. */
const CODES_OF_NO_ROOM = ["53100", "57014"];
class NotFilled extends Error {}

/** Fills a database for each size, one after the other, and hands over all of them. Without room for a size, those before it are measured. */
async function withYears<T>(
  server: BenchServer,
  sizes: readonly number[],
  work: (years: Year[]) => Promise<T>,
  filled: Year[] = [],
): Promise<T> {
  const [rows, ...further] = sizes;
  if (rows === undefined) return await work(filled);
  try {
    return await server.withDatabase(async (database) => {
      await fill(database, rows);
      return await withYears(server, further, work, [...filled, { rows, database }]);
    });
  } catch (error) {
    if (!(error instanceof NotFilled) || filled.length === 0) throw error;
    return await work(filled);
  }
}

/** @throws NotFilled where the disk has no room */
async function fill(database: BenchDatabase, rows: number): Promise<void> {
  const began = performance.now();
  const say = (what: string) => {
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    process.stderr.write(`${rows.toLocaleString("en")} settlements: ${what} after ${minutes} min\n`);
  };
  try {
    await seedYear(database, rows);
    const [size] = await database.owner<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
    say(`filled with ${((size?.bytes ?? 0) / GB).toFixed(1)} GB`);
  } catch (error) {
    say(String(error));
    if (error instanceof postgres.PostgresError && CODES_OF_NO_ROOM.includes(error.code)) throw new NotFilled(error.message);
    throw error;
  }
}

/** Waits until the machine's load average of a minute is below that. */
async function waitUntilQuiet(load: number): Promise<void> {
  while ((loadavg()[0] ?? 0) >= load) await sleep(5_000);
}

/** Work of a name on each year in turns: the median of its pieces, and PostgreSQL's share of one. `prepare` makes it before each round. */
async function inTurns(
  years: readonly Year[],
  { name, rounds, times }: { name: string; rounds: number; times: number },
  prepare: (year: Year) => Promise<(number: number) => Promise<unknown>>,
): Promise<Figure[]> {
  const taken = years.map((year) => ({ year, ms: [] as number[], cpuMs: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const one of turnsOf(taken, round)) {
      const work = await prepare(one.year);
      const { cpuMs } = await spent(async () => {
        for (let number = 0; number < times; number += 1) {
          const began = performance.now();
          await work(number);
          one.ms.push(performance.now() - began);
        }
      });
      one.cpuMs += cpuMs.PostgreSQL ?? 0;
    }
  }
  return taken.map(({ ms, cpuMs }) => ({ name, ms: median(ms), cpuMs: cpuMs / ms.length }));
}

/** To fill the databases takes hours: one kind of work that fails is said, and ends the run with 1, but not the measurement of the others. */
async function orFailed(years: readonly Year[], name: string, measure: () => Promise<Figure[]>): Promise<Figure[]> {
  try {
    return await measure();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${name} failed: ${inspect(error)}\n`);
    return years.map(() => ({ name: `${name} (failed)`, ms: Number.NaN, cpuMs: Number.NaN }));
  }
}

/** The calls of `growth`, each kind warmed up. */
async function callsOn(years: readonly Year[], calls: number): Promise<Figure[][]> {
  const figures: Figure[][] = [];
  for (const [name, prepare] of Object.entries(WORK)) {
    const once = (rounds: number, times: number) => inTurns(years, { name, rounds, times }, ({ database }) => prepare(database, times));
    figures.push(
      await orFailed(years, name, async () => {
        await once(1, Math.ceil(calls / ROUNDS));
        return await once(ROUNDS, Math.ceil(calls / ROUNDS));
      }),
    );
  }
  return figures;
}

/** What the worker does besides paying. A pass of retention archives up to 500 rows of each kind. */
async function dutiesOn(years: readonly Year[]): Promise<Figure[][]> {
  const audit = async ({ rows, database: { db, owner } }: Year) => {
    const [newest] = await owner<
      { since: Date }[]
    >`select created_at as since from settlements order by created_at desc, id desc offset ${Math.min(AUDITED, rows - 1)} limit 1`;
    return () => auditDatabase({ db }, { since: newest?.since ?? null });
  };
  const retention = async ({ database: { db } }: Year) => {
    return () => keepRetention({ db, log: silentLog }, DEFAULT_RETENTION);
  };
  return [
    await orFailed(years, "an audit", () =>
      inTurns(years, { name: `the audit of the newest ${AUDITED} settlements`, rounds: SLICES, times: 1 }, audit),
    ),
    await orFailed(years, "retention", () => inTurns(years, { name: "a pass of retention", rounds: SLICES, times: 1 }, retention)),
  ];
}

/** A vacuum after some rows of a table have changed, and a read of all files, as a backup does, for each million settlements. */
async function upkeepOf(server: BenchServer, years: readonly Year[]): Promise<Figure[][]> {
  const vacuum = async ({ database: { owner } }: Year) => {
    await owner`update callbacks set failing_since = null where id in (select id from callbacks order by id desc limit 1000)`;
    await sleep(SETTLE_MS);
    return () => owner`vacuum`;
  };
  const read = await inTurns(years, { name: "a read of all files, for a million settlements", rounds: 1, times: 1 }, async (year) => {
    const folder = await filesOf(server, year);
    return () => readAll(folder);
  });
  const each = (figure: Figure, year: Year | undefined) => {
    const millions = (year?.rows ?? MILLION) / MILLION;
    return { ...figure, ms: figure.ms / millions, cpuMs: figure.cpuMs / millions };
  };
  return [
    await inTurns(years, { name: "a vacuum of all tables, 1,000 rows changed", rounds: 1, times: 1 }, vacuum),
    read.map((figure, index) => each(figure, years[index])),
  ];
}

async function filesOf({ data }: BenchServer, { database }: Year): Promise<string> {
  const [row] = await database.owner<{ oid: string }[]>`select oid::text from pg_database where datname = current_database()`;
  if (data === undefined || row === undefined)
    throw new Error("a year is measured on a server that this run starts: unset BENCH_DATABASE_URL");
  return join(data, "base", row.oid);
}

async function readAll(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => /^\d/.test(each))) {
    for await (const _ of createReadStream(join(folder, name), { highWaterMark: 2 ** 20 }));
  }
}
