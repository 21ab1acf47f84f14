import postgres from "postgres";
import { expect, it } from "vitest";
import { createTestDatabase } from "#testing/database.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION } from "./distribution.ts";
import { applyVacuumSettings, VACUUM_SETTINGS } from "./vacuum-settings.ts";

type Table = { name: string; options: string[] | null };

it("migrate gives each hot table its settings, and only sets what differs", async () => {
  const database = await createTestDatabase();
  const said: string[] = [];
  const owner = postgres(database.url, { max: 1, onnotice: () => {}, debug: (_, text) => void said.push(text) });
  const changed = () => said.splice(0).filter((text) => text.startsWith("alter table")).length;
  const tables = () => owner<Table[]>`
      select relname as name, reloptions as options from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
  try {
    const hot = (await tables()).filter(({ name }) => name in VACUUM_SETTINGS);
    expect(new Set(hot.map(({ name }) => name))).toEqual(new Set(Object.keys(VACUUM_SETTINGS)));
    for (const { name, options } of hot) {
      const wanted = Object.entries(VACUUM_SETTINGS[name] ?? {}).map(([setting, value]) => `${setting}=${value}`);
      expect(options?.toSorted(), name).toEqual(wanted.toSorted());
    }
    changed();
    await applyVacuumSettings(owner);
    expect(changed()).toBe(0);
    await owner.unsafe("alter table settlements reset (autovacuum_vacuum_threshold)");
    changed();
    await applyVacuumSettings(owner);
    expect(changed()).toBe(1);
    expect((await tables()).filter(({ name, options }) => name === "settlements" && options?.length !== 3)).toEqual([]);
  } finally {
    await owner.end();
    await database.close();
  }
});

it("no table of a partner's settlements is left out, and none is named that is not there", () => {
  expect(DISTRIBUTED_TABLES.filter((name) => !(name in VACUUM_SETTINGS))).toEqual([]);
  expect(Object.keys(VACUUM_SETTINGS).filter((name) => !(name in DISTRIBUTION))).toEqual([]);
});
