import { expect, it } from "vitest";
import { type DatabaseFacts, examineDatabase, exitCodeOf } from "./examination.ts";
import { examineBackup, examineCertificate, examineDisk, examinePooler } from "./examine-surroundings.ts";

const WELL: DatabaseFacts = {
  version: 150_014,
  settings: {
    jit: "off",
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    synchronous_standby_names: "ANY 1 (a, b)",
    autovacuum: "on",
    shared_buffers: "8GB",
    max_wal_size: "8GB",
  },
  encoding: "UTF8",
  collation: { name: "C", servesPrefixes: true, sortsIds: true },
  clockAheadMs: 12,
  oldestTransaction: 40_000_000,
  connections: { used: 30, most: 100 },
  archiver: { failsSinceLast: false, lastSecondsAgo: 42 },
  standbys: [{ name: "a", lagBytes: 1_024 }],
  idleSlots: [],
  bloated: [],
};
const setting = (name: string, value: string): DatabaseFacts => ({ ...WELL, settings: { ...WELL.settings, [name]: value } });

it("finds nothing in a database that fits", () => {
  const findings = examineDatabase(WELL);
  expect(findings.filter(({ level }) => level !== "ok")).toEqual([]);
  expect(findings.every(({ remedy }) => remedy === null)).toBe(true);
  expect(exitCodeOf(findings)).toBe(0);
});

it.each<[string, DatabaseFacts, "warning" | "trouble", string]>([
  ["an old version", { ...WELL, version: 140_011 }, "trouble", "version"],
  ["a version that is not tested yet", { ...WELL, version: 190_000 }, "trouble", "version"],
  ["compiled statements", setting("jit", "on"), "trouble", "jit"],
  ["commits that a crash loses", setting("fsync", "off"), "trouble", "durability"],
  ["commits that are confirmed too early", setting("synchronous_commit", "off"), "trouble", "durability"],
  ["no autovacuum", setting("autovacuum", "off"), "trouble", "autovacuum"],
  ["the shared buffers of a fresh installation", setting("shared_buffers", "128MB"), "warning", "shared_buffers"],
  ["the write-ahead log of a fresh installation", setting("max_wal_size", "1GB"), "warning", "max_wal_size"],
  ["another encoding", { ...WELL, encoding: "SQL_ASCII" }, "trouble", "encoding"],
  [
    "text that sorts by a language",
    { ...WELL, collation: { name: "en_US.UTF-8", servesPrefixes: false, sortsIds: true } },
    "warning",
    "collation",
  ],
  ["ids out of order", { ...WELL, collation: { name: "cs_CZ.UTF-8", servesPrefixes: false, sortsIds: false } }, "trouble", "collation"],
  ["a clock that is off", { ...WELL, clockAheadMs: -2_500 }, "warning", "clock"],
  ["a clock that is far off", { ...WELL, clockAheadMs: 61_000 }, "trouble", "clock"],
  ["old transactions", { ...WELL, oldestTransaction: 600_000_000 }, "warning", "wraparound"],
  ["a database that stops soon", { ...WELL, oldestTransaction: 1_600_000_000 }, "trouble", "wraparound"],
  ["few connections left", { ...WELL, connections: { used: 80, most: 100 } }, "warning", "connections"],
  ["no archive", { ...WELL, archiver: null }, "warning", "archive"],
  ["an archive that fails", { ...WELL, archiver: { failsSinceLast: true, lastSecondsAgo: 5 } }, "trouble", "archive"],
  ["an old archive", { ...WELL, archiver: { failsSinceLast: false, lastSecondsAgo: 1_000 } }, "warning", "archive"],
  ["an archive with nothing in it", { ...WELL, archiver: { failsSinceLast: false, lastSecondsAgo: null } }, "warning", "archive"],
  ["no synchronous standby", setting("synchronous_standby_names", ""), "warning", "replication"],
  ["a standby that is behind", { ...WELL, standbys: [{ name: "b", lagBytes: 2 ** 30 }] }, "warning", "replication"],
  ["a slot that nothing uses", { ...WELL, idleSlots: ["old"] }, "warning", "replication"],
  ["dead rows", { ...WELL, bloated: [{ table: "callbacks", dead: 900_000, live: 10 }] }, "warning", "dead rows"],
])("names %s, and what to do", (_, facts, level, subject) => {
  const found = examineDatabase(facts).filter((finding) => finding.level !== "ok");
  expect(found).toMatchObject([{ subject, level, remedy: expect.stringMatching(/\w+/) }]);
  expect(exitCodeOf(found)).toBe(level === "trouble" ? 2 : 1);
});

it("judges certificates by their days and disks by their room", () => {
  expect([100, 13, 2, -1].map((days) => examineCertificate("a", days).level)).toEqual(["ok", "warning", "trouble", "trouble"]);
  expect(examineCertificate("a", null, "no answer")).toMatchObject({ level: "warning", detail: "could not be read: no answer" });
  expect([50, 15, 5].map((free) => examineDisk("/", { free, size: 100 }).level)).toEqual(["ok", "warning", "trouble"]);
});

it("judges a backup by its age, by when one was restored, and by what the audit of that found", () => {
  const now = new Date("2026-11-29T12:00:00Z");
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const levelOf = (madeHours: number | null, verifiedHours: number | null, violations: number | null = 0) => {
    const known = {
      madeAt: madeHours === null ? null : ago(madeHours),
      verifiedAt: verifiedHours === null ? null : ago(verifiedHours),
      violations,
    };
    return examineBackup(known, now).level;
  };
  expect([levelOf(3, 40), levelOf(3, 300), levelOf(3, null), levelOf(30, 40), levelOf(null, null, null), levelOf(3, 4, 1)]).toEqual([
    "ok",
    "warning",
    "warning",
    "trouble",
    "trouble",
    "trouble",
  ]);
  expect(examineBackup(null, now)).toMatchObject({ level: "warning", remedy: expect.stringContaining("--backup FILE") });
});

it("judges what PgBouncer is set to", () => {
  const good = {
    pool_mode: "transaction",
    server_login_retry: "1",
    query_wait_timeout: "10",
    default_pool_size: "40",
    max_client_conn: "1000",
  };
  expect(examinePooler(good)).toMatchObject([{ level: "ok" }]);
  expect(examinePooler({ ...good, query_wait_timeout: "0" })).toMatchObject([{ level: "ok" }]);
  expect(examinePooler({ ...good, pool_mode: "session", server_login_retry: "15", query_wait_timeout: "3" })).toMatchObject([
    { level: "trouble", detail: expect.stringContaining("session") },
    { level: "warning", detail: expect.stringContaining("15 s") },
    { level: "warning", detail: expect.stringContaining("3 s") },
  ]);
});
