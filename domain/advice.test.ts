import { expect, it } from "vitest";
import { type AdviceFacts, adviseDatabase } from "./advice.ts";

const MB = 1_048_576;
const TABLE = { table: "settlements", size: 500 * MB, expected: 400 * MB, dead: 1_000, live: 500_000, autovacuumed: true, frozenAge: 5 };
const WELL: AdviceFacts = {
  countedDays: 30,
  tables: [TABLE],
  unusedIndexes: [],
  statements: [{ text: "select 1", calls: 10_000, meanMs: 2, share: 0.5 }],
  standbys: [{ name: "b", lagBytes: 10, lagMs: 3 }],
  settings: {
    checkpoint_timeout: "900",
    random_page_cost: "1.1",
    maintenance_work_mem: "262144",
    autovacuum_vacuum_cost_limit: "2000",
    vacuum_cost_limit: "200",
    autovacuum_naptime: "10",
    wal_compression: "lz4",
  },
};
const table = (values: Partial<typeof TABLE>) => ({ ...WELL, tables: [{ ...TABLE, ...values }] });
const index = (size: number) => ({ ...WELL, unusedIndexes: [{ index: "by_reference", table: "settlements", size }] });
const setting = (name: string, value: string) => ({ ...WELL, settings: { ...WELL.settings, [name]: value } });

it("has no advice for a database that is well", () => {
  for (const facts of [WELL, index(MB), { ...index(900 * MB), countedDays: 2 }, table({ size: 9 * MB, expected: MB })])
    expect(adviseDatabase(facts).filter(({ level }) => level !== "ok")).toEqual([]);
});

it.each<[string, AdviceFacts, string, RegExp]>([
  ["a table that takes twice its rows", table({ size: 900 * MB }), "bloat", /900 MB.*400 MB/],
  ["dead rows", table({ dead: 200_000 }), "vacuum", /200000 dead/],
  ["rows that no vacuum has seen", table({ dead: 150_000, live: 10_000_000, autovacuumed: false }), "vacuum", /150000 dead/],
  ["a table that is old", table({ frozenAge: 1_200_000_000 }), "vacuum", /1200 million/],
  ["an index that nothing reads", index(900 * MB), "indexes", /by_reference.*900 MB/],
  ["statements that are not counted", { ...WELL, statements: null }, "statements", /does not count/],
  [
    "a slow statement",
    { ...WELL, statements: [{ text: "select\n  2", calls: 500, meanMs: 300, share: 0.9 }] },
    "statements",
    /300 ms, 500 times, 90 % .*select 2/,
  ],
  ["a standby that is behind", { ...WELL, standbys: [{ name: "b", lagBytes: MB, lagMs: 60_000 }] }, "replication", /60 s/],
  ["frequent checkpoints", setting("checkpoint_timeout", "300"), "settings", /checkpoint_timeout is 300/],
  ["the costs of a turning disk", setting("random_page_cost", "4"), "settings", /random_page_cost is 4/],
  ["little memory for vacuum", setting("maintenance_work_mem", "65536"), "settings", /maintenance_work_mem/],
  ["a slow autovacuum", setting("autovacuum_vacuum_cost_limit", "-1"), "settings", /cost_limit is -1/],
  ["a rare autovacuum", setting("autovacuum_naptime", "60"), "settings", /naptime is 60/],
  ["whole pages in the log", setting("wal_compression", "off"), "settings", /wal_compression/],
])("names %s, and what to do", (_, facts, subject, detail) => {
  const found = adviseDatabase(facts).filter(({ level }) => level !== "ok");
  expect(found).toMatchObject([{ subject, level: "warning", detail: expect.stringMatching(detail), remedy: expect.stringMatching(/\w/) }]);
});
