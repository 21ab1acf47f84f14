import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import type { Walk, Walked } from "#domain/page.ts";
import { readPlaceOf, writePlace } from "./place.ts";

/** What every walked list is asked with, beside its filter. */
export const walkFields = {
  limit: z.union([z.literal(25), z.literal(50), z.literal(100)]).default(25),
  cursor: plainText(1, 256).optional(),
  direction: z.enum(["older", "newer"]).default("older"),
};
type WalkInput = { limit: number; cursor?: string | undefined; direction: "older" | "newer" };

/** @throws Refusal `validation_failed` for what is no cursor of this list */
export function readWalk({ limit, cursor, direction }: WalkInput, isOwn: (id: string) => boolean): Walk {
  return { limit, direction, position: readPlaceOf(cursor, isOwn) };
}

export function renderWalked<Item, Wire>({ items, older, newer }: Walked<Item>, render: (item: Item) => Wire) {
  return { data: items.map(render), older_cursor: older && writePlace(older), newer_cursor: newer && writePlace(newer) };
}
