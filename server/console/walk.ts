import { z } from "zod";
import { readCursor, readIdCursor, writeCursor } from "#contract/cursor.ts";
import { plainText } from "#contract/primitives.ts";
import type { IdKind } from "#domain/ids.ts";
import type { Walk, Walked } from "#domain/page.ts";

const pageSize = z.union([z.literal(25), z.literal(50), z.literal(100)]);

/** The common input of every paged list, besides its filter. */
export const walkFields = {
  limit: pageSize.default(25),
  cursor: plainText(1, 256).optional(),
  direction: z.enum(["older", "newer"]).default("older"),
};
/** The same for the logs, whose rows are short. */
export const logWalkFields = { ...walkFields, limit: pageSize.default(50) };

/** The position of the first visible row, for counting newer ones. */
export const sinceField = { cursor: plainText(1, 256).nullable() };

type WalkInput = { limit: number; cursor?: string | undefined; direction: "older" | "newer" };
const MOST_COUNTED = 100;

/** @throws Refusal `validation_failed` unless it is a cursor of this list */
export function readWalk({ limit, cursor, direction }: WalkInput, isOwn: (id: string) => boolean): Walk {
  return { limit, direction, position: readCursor(cursor, { isOwn }) };
}

/** The same of a list whose places are ids. @throws Refusal `validation_failed` */
export function readIdWalk({ limit, cursor, direction }: WalkInput, kind: IdKind): Walk<string> {
  return { limit, direction, position: readIdCursor(cursor, kind) };
}

/** The walk to those that came since, of which no more than a hundred are counted. @throws Refusal `validation_failed` */
export function readSince(cursor: string | null, isOwn: (id: string) => boolean): Walk {
  return { limit: MOST_COUNTED, direction: "newer", position: readCursor(cursor, { isOwn }) };
}

/** A page on the wire, with its cursors in both directions and that of its first row. */
export function renderWalked<Item, Wire>(page: Walked<Item> | Walked<Item, string>, render: (item: Item) => Wire) {
  const write = (place: typeof page.older) => (place === null || typeof place === "string" ? place : writeCursor(place));
  const { items, older, newer, first } = page;
  return { data: items.map(render), older_cursor: write(older), newer_cursor: write(newer), first_cursor: write(first) };
}
