import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Walk } from "#domain/page.ts";

/** The two columns that put a list in order: newest first, ids deciding within one instant. */
type Ordering = { createdAt: PgColumn; id: PgColumn };

/** The rows beyond a place: pages neither skip nor repeat, whatever is added meanwhile. `idType`: of the id's column. */
export function beyond(
  { createdAt, id }: Ordering,
  { position, direction }: Pick<Walk, "position" | "direction">,
  idType: "text" | "uuid",
): SQL | undefined {
  if (position === null) return undefined;
  const place = sql`(${position.createdAt.toISOString()}::timestamptz, ${position.id}::${sql.raw(idType)})`;
  return direction === "older" ? sql`(${createdAt}, ${id}) < ${place}` : sql`(${createdAt}, ${id}) > ${place}`;
}

/** Nearest to the place first. */
export function nearestFirst({ createdAt, id }: Ordering, { direction }: Pick<Walk, "direction">): SQL[] {
  return direction === "older" ? [sql`${createdAt} desc`, sql`${id} desc`] : [sql`${createdAt} asc`, sql`${id} asc`];
}

/** As {@link beyond}, where ids are in the order of time and a place is an id. */
export function beyondId(id: SQLWrapper, { position, direction }: Walk<string>): SQL | undefined {
  if (position === null) return undefined;
  return direction === "older" ? sql`${id} < ${position}` : sql`${id} > ${position}`;
}

/** As {@link nearestFirst}, for a list of that kind. */
export function nearestIdFirst(id: SQLWrapper, { direction }: Walk<string>): SQL {
  return direction === "older" ? sql`${id} desc` : sql`${id} asc`;
}
