import { sql } from "drizzle-orm";
import { inject } from "vitest";
import { type Database, openDatabase } from "#db/client.ts";

/**
 * An intruder with the owner's password: no trigger and no constraint stops it, and all of it is undone. A partition's triggers go with its
 * table's.
 */

/** `only`: what of the catalogue is not a part, which on Citus goes with its table. */
const unguard = (only: string) =>
  sql.raw(`do $$ declare one record; begin
  for one in select conrelid::regclass as place, conname from pg_constraint
    where contype in ('c', 'f') and conparentid = 0 and connamespace = 'public'::regnamespace and conrelid in (select oid from pg_class c where ${only}) loop
    execute format('alter table %s drop constraint %I', one.place, one.conname);
  end loop;
  for one in select oid::regclass as place from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and ${only} loop
    execute format('alter table %s disable trigger user', one.place);
  end loop;
end $$`);
const NO_PART = "relname !~ '_[0-9]{6}$'";

class Undone extends Error {}

/** `url`: as the role that owns the database. `whileTampered` sees the database as the change left it. */
export function openTamperer(url: string) {
  const onCitus = inject("testServer").nodes.length > 0;
  const owner = openDatabase({ url, applicationName: "tamper", maxConnections: 1, layout: onCitus ? "citus" : "whole" });
  async function tamper<Seen>(change: string, whileTampered: (tx: Database) => Promise<Seen>): Promise<Seen> {
    let seen: { value: Seen } | null = null;
    await owner.db
      .transaction(async (tx) => {
        if (onCitus)
          await tx.execute(sql`set local citus.multi_shard_modify_mode = sequential; set local citus.enable_unsafe_triggers = on`);
        await tx.execute(unguard(onCitus ? NO_PART : "true"));
        await tx.execute(sql.raw(change));
        seen = { value: await whileTampered(tx) };
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    if (seen === null) throw new Error("nothing was seen");
    return (seen as { value: Seen }).value;
  }
  return { tamper, close: owner.close };
}
