import { isStorableInstant } from "#contract/primitives.ts";
import { isId } from "#domain/ids.ts";

export type Position = { createdAt: Date; id: string };

/** A place in a list as an opaque text. */
export function writeCursor(position: Position): string {
  return Buffer.from(`${position.createdAt.getTime()} ${position.id}`, "utf8").toString("base64url");
}

/** Reads what {@link writeCursor} wrote; null for anything else. */
export function readCursor(text: string): Position | null {
  const match = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(text, "base64url").toString("utf8"));
  const [, epochMs, id] = match ?? [];
  if (epochMs === undefined || id === undefined || !isId("settlement", id)) return null;
  const position = { createdAt: new Date(Number(epochMs)), id };
  return isStorableInstant(position.createdAt) && writeCursor(position) === text ? position : null;
}
