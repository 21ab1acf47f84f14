import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** Records the present settings if they have changed. */
export async function insertScreeningSettings(db: Database, settings: { isOn: boolean; sources: readonly string[] }): Promise<void> {
  const sources = sql`array(select jsonb_array_elements_text(${JSON.stringify(settings.sources)}::jsonb))`;
  await db.execute(sql`
    insert into screening_settings (since, is_on, sources)
    select business_now(), ${settings.isOn}, ${sources}
    where (select (s.is_on, s.sources) from screening_settings s order by s.since desc limit 1) is distinct from (${settings.isOn}, ${sources})
    on conflict do nothing`);
}
