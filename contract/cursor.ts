import { isId } from "#domain/ids.ts";
import type { Place } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import { isStorableInstant } from "./primitives.ts";

/** Whether an id can be in a list, and the place of the cursor (default: the field `cursor`). */
type Own = { isOwn: (id: string) => boolean; where?: { pointer: string } | { parameter: string } };

/** A place in a list as an opaque text. */
export function writeCursor({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`, "utf8").toString("base64url");
}

/** Reads what {@link writeCursor} wrote of an id of this list; null without one. @throws Refusal `validation_failed` for anything else */
export function readCursor(cursor: string | null | undefined, { isOwn, where }: Own): Place | null {
  if (cursor === undefined || cursor === null) return null;
  const [, epochMs = "", id = ""] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const place = { createdAt: new Date(Number(epochMs)), id };
  if (isOwn(id) && isStorableInstant(place.createdAt) && writeCursor(place) === cursor) return place;
  throw malformed(where);
}

/** The same of a list whose places are ids: those of the kind are in the order of time. @throws Refusal `validation_failed` */
export function readIdCursor(cursor: string | null | undefined, kind: Parameters<typeof isId>[0], where?: Own["where"]): string | null {
  if (cursor === undefined || cursor === null) return null;
  if (isId(kind, cursor)) return cursor;
  throw malformed(where);
}

function malformed(where: Own["where"] = { pointer: "/cursor" }): Refusal {
  return new Refusal("validation_failed", {
    errors: [{ ...where, code: "malformed_cursor", message: "must be a cursor that this list returned" }],
  });
}
