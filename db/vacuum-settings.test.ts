import postgres from "postgres";
import { expect, it } from "vitest";
import { createTestDatabaseIn } from "#testing/database.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION } from "./distribution.ts";
import { LAYOUTS } from "./layout.ts";
import { applyVacuumSettings, VACUUM_SETTINGS } from "./vacuum-settings.ts";

type Part = { name: string; part: string; options: string[] | null };

// Citus needs an installed one: `npm run test:citus`.
it.each(LAYOUTS.filter((layout) => layout !== "citus"))(
  "migrate gives each part of a hot table its settings, and only sets what differs (%s)",
  async (layout) => {
    const database = await createTestDatabaseIn(layout);
    const said: string[] = [];
    const owner = postgres(database.url, { max: 1, onnotice: () => {}, debug: (_, text) => void said.push(text) });
    const changed = () => said.splice(0).filter((text) => text.startsWith("alter table")).length;
    const parts = () => owner<Part[]>`
    select coalesce(root.relname, c.relname) as name, c.relname as part, c.reloptions as options
    from pg_class c left join pg_inherits h on h.inhrelid = c.oid left join pg_class root on root.oid = h.inhparent
    where c.relkind = 'r' and c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'parts')) order by 2`;
    try {
      const hot = (await parts()).filter(({ name }) => name in VACUUM_SETTINGS);
      expect(new Set(hot.map(({ name }) => name))).toEqual(new Set(Object.keys(VACUUM_SETTINGS)));
      for (const { name, part, options } of hot) {
        const wanted = Object.entries(VACUUM_SETTINGS[name] ?? {}).map(([setting, value]) => `${setting}=${value}`);
        expect(options?.toSorted(), part).toEqual(wanted.toSorted());
      }
      changed();
      await applyVacuumSettings(owner);
      expect(changed()).toBe(0);
      await owner.unsafe(`alter table ${layout === "whole" ? "settlements" : "parts.settlements_3"} reset (autovacuum_vacuum_threshold)`);
      changed();
      await applyVacuumSettings(owner);
      expect(changed()).toBe(1);
      expect((await parts()).filter(({ name, options }) => name === "settlements" && options?.length !== 3)).toEqual([]);
    } finally {
      await owner.end();
      await database.close();
    }
  },
);

it("no table of a partner's settlements is left out, and none is named that is not there", () => {
  expect(DISTRIBUTED_TABLES.filter((name) => !(name in VACUUM_SETTINGS))).toEqual([]);
  expect(Object.keys(VACUUM_SETTINGS).filter((name) => !(name in DISTRIBUTION))).toEqual([]);
});
