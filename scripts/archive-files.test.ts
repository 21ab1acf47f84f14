import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NO_AUDIT_KEY } from "#domain/audit-key.ts";
import { sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { readExport, recordMonth } from "#server/services/maintenance/export-archive.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { exportArchive } from "./archive-files.ts";

let database: TestDatabase;
let folder: string;
const ROWS = 4_500;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "settlement-archive-"));
  await addMonth("2026_01", ROWS);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.close();
});

/** A month of the archive, with this many rows. */
async function addMonth(month: string, rows: number): Promise<void> {
  const first = `${month.replace("_", "-")}-01T00:00:00Z`;
  await database.sql.begin(async (tx) => {
    await tx`set local role none`;
    const name = `archived_rows_${month}`;
    const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString();
    await tx.unsafe(`create table ${name} partition of archived_rows for values from ('${first}') to ('${next}')`);
  });
  await addRows(first, 1, rows);
}

async function addRows(first: string, from: number, to: number): Promise<void> {
  await database.sql.begin(async (tx) => {
    await tx`set local role none`;
    await tx`insert into archived_rows (archived_at, kind, id, row)
      select ${first}::timestamptz + interval '4 days' + n / 7 * interval '1 second', 'settlements', 'tx_' || n, jsonb_build_object('n', n)
      from generate_series(${from}::int, ${to}::int) n`;
  });
}

const WHILE = { timeout: 60_000 };

/** Nobody writes into the audit log until this transaction ends. */
async function holdAuditLog() {
  const holder = await database.sql.reserve();
  await holder`begin`;
  await holder`set local role none`;
  await holder`lock table audit_entries in share mode`;
  return holder;
}

const waiting = async () =>
  await database.sql`select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`;

const run = async () => {
  const said: string[] = [];
  return { code: await exportArchive(database, folder, (line) => said.push(line)), said };
};
const file = (month = "2026_01") => join(folder, `archived_rows_${month}.jsonl.gz`);
const rowsOf = (written: string) => gunzipSync(readFileSync(written)).toString().trim().split("\n").length;
const entries = async (month = "2026_01") =>
  (
    await database.sql`select change ->> 'sha256' as sha256 from audit_entries
      where action = 'archive.exported' and object_id = ${`archived_rows_${month}`}`
  ).map((row) => row.sha256);

it("writes a month that is over to a file, every row once, and its checksum into the audit log, which is sealed", async () => {
  await sealAuditLog({ db: database.db, auditKey: NO_AUDIT_KEY });
  expect(await run()).toMatchObject({ code: 0, said: [expect.stringContaining(`${ROWS} rows`)] });
  const lines = gunzipSync(readFileSync(file()))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(new Set(lines.map(({ row }) => row.n)).size).toBe(ROWS);
  expect(lines[0]).toMatchObject({ kind: "settlements", archived_at: expect.stringMatching(/^2026-01-05T/) });
  const [kept] = readFileSync(join(folder, "manifest.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(kept).toMatchObject({ month: "archived_rows_2026_01", rows: ROWS });
  expect(await entries()).toEqual([kept.sha256]);
});

it("says and does nothing new when it is run again, and begins a month again that it was cut off in", async () => {
  writeFileSync(`${file()}.part`, "half of it");
  const before = readFileSync(file());
  expect((await run()).said[0]).toContain("as before");
  expect(readFileSync(file()).equals(before)).toBe(true);
  rmSync(file());
  expect((await run()).code).toBe(0);
  expect(gunzipSync(readFileSync(file())).equals(gunzipSync(before))).toBe(true);
  expect(existsSync(`${file()}.part`)).toBe(false);
  expect(await entries()).toHaveLength(1);
});

it("reports a file that is not what was written, and leaves it alone", async () => {
  const forged = gzipSync(`${JSON.stringify({ kind: "settlements", id: "tx_1", row: { n: 0 } })}\n`);
  for (const content of [forged, Buffer.from("no gzip")]) {
    writeFileSync(file(), content);
    expect(await run()).toMatchObject({ code: 1, said: [expect.stringContaining("is not what the audit log says of it")] });
    expect(readFileSync(file()).equals(content)).toBe(true);
  }
});

it("believes no file that the audit log does not know: it writes the month again, and keeps what was there under another name", async () => {
  rmSync(file());
  await addMonth("2026_02", 3);
  await addMonth("2026_03", 4);
  const foreign = gzipSync(`${JSON.stringify({ kind: "settlements", id: "tx_1", row: { n: 0 } })}\n`);
  writeFileSync(file("2026_02"), foreign);
  writeFileSync(file("2026_03"), "no gzip");
  writeFileSync(`${file("2026_03")}.unknown-1`, "of an earlier time");
  const { code, said } = await run();
  expect(code).toBe(0);
  expect(said.filter((line) => line.includes("the audit log knows nothing of it"))).toHaveLength(2);
  expect([rowsOf(file("2026_02")), rowsOf(file("2026_03"))]).toEqual([3, 4]);
  expect(await readExport(database, "archived_rows_2026_02")).toMatchObject({ rows: 3 });
  expect(await readExport(database, "archived_rows_2026_03")).toMatchObject({ rows: 4 });
  expect(readFileSync(`${file("2026_02")}.unknown-1`).equals(foreign)).toBe(true);
  expect(readFileSync(`${file("2026_03")}.unknown-1`, "utf8")).toBe("of an earlier time");
  expect(readFileSync(`${file("2026_03")}.unknown-2`, "utf8")).toBe("no gzip");
});

it("goes on where it ended between a file's name and the audit log's word of it", async () => {
  await addMonth("2026_04", 5);
  const holder = await holdAuditLog();
  const died = expect(run()).rejects.toThrow();
  await expect.poll(async () => (await waiting()).length, WHILE).toBe(1);
  const whole = readFileSync(file("2026_04"));
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await died;
  await holder`commit`;
  holder.release();
  expect(await entries("2026_04")).toEqual([]);
  expect((await run()).code).toBe(0);
  expect(await entries("2026_04")).toHaveLength(1);
  expect(readFileSync(file("2026_04")).equals(whole)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("archived_rows_2026_04"))).toHaveLength(1);
});

it("replaces no checksum: a month that differs from what was written stays next to it, and nothing is recorded of it", async () => {
  const files = await entries("2026_02");
  rmSync(file("2026_02"));
  await addRows("2026-02-01T00:00:00Z", 4, 4);
  for (let time = 0; time < 2; time += 1) {
    expect(await run()).toMatchObject({
      code: 1,
      said: expect.arrayContaining([expect.stringMatching(/archived_rows_2026_02 is not what the audit log says was written/)]),
    });
    expect([existsSync(file("2026_02")), rowsOf(`${file("2026_02")}.part`)]).toEqual([false, 4]);
    expect(await entries("2026_02")).toEqual(files);
  }
});

it("records one checksum of a month, also when two report at once", async () => {
  const month = "archived_rows_2025_12";
  await recordMonth(database, { month, rows: 1, sha256: "one" });
  await recordMonth(database, { month, rows: 1, sha256: "one" });
  await expect(recordMonth(database, { month, rows: 2, sha256: "two" })).rejects.toThrow(/the audit log already says one/);
  expect(await entries("2025_12")).toEqual(["one"]);
  const holder = await holdAuditLog();
  const both = Promise.allSettled(
    ["one", "two"].map((sha256) => recordMonth(database, { month: "archived_rows_2025_11", rows: 1, sha256 })),
  );
  await expect.poll(async () => (await waiting()).length, WHILE).toBe(2);
  await holder`commit`;
  holder.release();
  expect((await both).map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await entries("2025_11")).toHaveLength(1);
});

it("puts a file under its name as a power cut cannot undo: first the file is on its disk, then the name", () => {
  const [trace, place] = [join(folder, "trace.json"), join(folder, "place")];
  writeFileSync(`${place}.part`, "whole");
  const code = `import { putInPlace } from ${JSON.stringify(new URL("./put-in-place.ts", import.meta.url).href)}; putInPlace(${JSON.stringify(`${place}.part`)}, ${JSON.stringify(place)});`;
  const options = ["--trace-event-categories", "node.fs.sync", "--trace-event-file-pattern", trace, "--input-type=module", "-e", code];
  execFileSync(process.execPath, options);
  const events = JSON.parse(readFileSync(trace, "utf8")).traceEvents as { name: string; ph: string }[];
  const calls = events.filter(({ name, ph }) => ph === "B" && name.startsWith("fs.sync.")).map(({ name }) => name.slice("fs.sync.".length));
  expect(calls.slice(-7)).toEqual(["open", "fsync", "close", "rename", "open", "fsync", "close"]);
  expect(readFileSync(place, "utf8")).toBe("whole");
});
