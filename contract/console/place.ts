import { isStorableInstant } from "#contract/primitives.ts";
import type { Place } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";

/** A place in one of the console's lists, as an opaque text. */
export function writePlace({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`, "utf8").toString("base64url");
}

/** Reads what {@link writePlace} wrote of an id that `isOwn`. @throws Refusal `validation_failed` for anything else */
export function readPlaceOf(cursor: string | undefined, isOwn: (id: string) => boolean): Place | null {
  if (cursor === undefined) return null;
  const [, epochMs = "", id = ""] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const place = { createdAt: new Date(Number(epochMs)), id };
  if (isOwn(id) && isStorableInstant(place.createdAt)) return place;
  throw new Refusal("validation_failed", {
    errors: [{ pointer: "/cursor", code: "malformed_cursor", message: "is no cursor of this list" }],
  });
}
