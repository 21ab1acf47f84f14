import { spawnSync } from "node:child_process";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "#scripts/suites.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const doctor = (...args: readonly string[]) => spawnSync(process.execPath, ["scripts/doctor.ts", ...args], { cwd: ROOT, encoding: "utf8" });

it("examines a database by its URL alone, and exits by the worst finding", async () => {
  const owner = postgres(database.url, { max: 1 });
  try {
    const name = owner(new URL(database.url).pathname.slice(1));
    await owner`alter database ${name} set jit = off`;
    const before = JSON.parse(doctor("--database", database.url, "--json").stdout) as { subject: string; level: string }[];
    expect(before.find(({ subject }) => subject === "jit")).toMatchObject({ level: "ok" });
    expect(before.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(["version", "durability", "clock", "wraparound", "archive"]),
    );
    await owner`alter database ${name} set jit = on`;
    const after = doctor("--database", database.url);
    expect(after.stdout).toContain("✗ jit: jit is on");
    expect(after.stdout).toContain("npm run migrate");
    expect(after.status).toBe(2);
  } finally {
    await owner.end();
  }
});

it("says in one sentence that a database does not answer", () => {
  const { status, stderr } = doctor("--database", "postgres://nobody@127.0.0.1:1/none");
  expect([status, stderr.trim().split("\n")]).toEqual([2, [expect.stringMatching(/does not answer \(connect ECONNREFUSED/)]]);
});
