import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Walk } from "#domain/page.ts";

/** The two columns that put a list in order: newest first, ids deciding within one instant. */
type Ordering = { createdAt: PgColumn; id: PgColumn };

/** The rows beyond a place: pages neither skip nor repeat, whatever is added meanwhile. `idType`: of the id's column. */
export function beyond({ createdAt, id }: Ordering, { position, direction }: Walk, idType: "text" | "uuid"): SQL | undefined {
  if (position === null) return undefined;
  const place = sql`(${position.createdAt.toISOString()}::timestamptz, ${position.id}::${sql.raw(idType)})`;
  return direction === "older" ? sql`(${createdAt}, ${id}) < ${place}` : sql`(${createdAt}, ${id}) > ${place}`;
}

/** Nearest to the place first. */
export function nearestFirst({ createdAt, id }: Ordering, { direction }: Walk): SQL[] {
  return direction === "older" ? [sql`${createdAt} desc`, sql`${id} desc`] : [sql`${createdAt} asc`, sql`${id} asc`];
}
