import { type SQL, sql } from "drizzle-orm";
import type { Layout } from "#db/layout.ts";

/** The settlement of that id and partner, as a table of a statement that reads whole tables, too. */
export function settlementOf(layout: Layout, id: SQL, partner: SQL): SQL {
  return layout === "citus"
    ? sql`citus_settlement(${id}, ${partner})`
    : sql`(select * from settlements where settlements.id = ${id} and of_partner(settlements.partner_id, ${partner}) limit 1)`;
}
