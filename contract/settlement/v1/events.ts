import { z } from "zod";
import { instant, plainText, timestamp, wholeNumber } from "#contract/primitives.ts";
import { EVENT_OBJECTS, EVENT_TYPE_NAMES, type EventPlace, type PartnerEvent, typesOf } from "#domain/event.ts";
import { Refusal } from "#domain/refusal.ts";

/** Events (contract, part 12). */

export const eventSchema = z.object({
  id: z.string().describe("The event's id. It begins with ev_"),
  type: z.enum(EVENT_TYPE_NAMES).describe("What happened, such as settlement.executed"),
  created_at: timestamp.describe("When the event happened"),
  object_type: z.enum(EVENT_OBJECTS).describe("The kind of object that the event is about"),
  object_id: z.string().describe("The id of that object. It begins with tx_, ba_, wd_, tu_, cb_ or de_. The id of a member is a UUID"),
  version: z.int().min(1).describe("The version of the object. It rises by one with each event of the object"),
  data: z.record(z.string(), z.unknown()).describe("The object at that version, as its GET operation answered"),
});

export const eventListSchema = z.object({
  data: z.array(eventSchema).describe("A page of events, oldest first"),
  next_cursor: z.string().describe("The cursor for your next request. It is present even if there are no events right now"),
});

const PATTERNS = [...new Set(EVENT_TYPE_NAMES.map((type) => `${type.split(".")[0]}.*`))].join(", ");

export const listEventsQuery = z.strictObject({
  types: plainText(1, 1_024)
    .optional()
    .describe(`Return only events of these types, separated by commas. ${PATTERNS} mean all types of one object`),
  cursor: plainText(1, 256)
    .optional()
    .describe("The next_cursor of the previous page. Without it, the list begins at the oldest event that is kept"),
  limit: wholeNumber(1, 100).optional().describe("The most events to return, 1 to 100. The default is 25"),
  wait: wholeNumber(0, 20).optional().describe("How long the request waits if there is no event yet, in seconds. The default is 0"),
});

export function renderEvent({ id, type, createdAt, objectType, objectId, version, data }: PartnerEvent): z.infer<typeof eventSchema> {
  return { id, type, created_at: instant(createdAt), object_type: objectType, object_id: objectId, version, data };
}

/** @throws Refusal `validation_failed` for a pattern that names no type. */
export function readTypes(types: string | undefined) {
  if (types === undefined) return null;
  return [
    ...new Set(
      types.split(",").flatMap((pattern) => {
        const named = typesOf(pattern);
        if (named !== null) return named;
        const message = `${JSON.stringify(pattern)} is no type of events`;
        throw new Refusal("validation_failed", { errors: [{ parameter: "types", code: "invalid_value", message }] });
      }),
    ),
  ];
}

type Cursor = { epoch: number; place: EventPlace };

/** A place in a partner's events as an opaque text. */
export function writeEventCursor(partnerId: string, { epoch, place: { position, version, id } }: Cursor): string {
  return Buffer.from([partnerId, epoch, position, version, id].join(" "), "utf8").toString("base64url");
}

const FORM = /^(\S{36}) (\d{1,9}) (\d{1,18}) (\d{1,9}) (|ev_[0-9a-z]{26})$/;

/** Reads what {@link writeEventCursor} wrote for this partner; null without one. @throws Refusal `validation_failed` for anything else. */
export function readEventCursor(partnerId: string, cursor: string | undefined): Cursor | null {
  if (cursor === undefined) return null;
  const [, owner, epoch, position = "0", version, id = ""] = FORM.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const read = { epoch: Number(epoch), place: { position: BigInt(position), version: Number(version), id } };
  if (owner === partnerId && writeEventCursor(partnerId, read) === cursor) return read;
  throw new Refusal("validation_failed", {
    errors: [{ parameter: "cursor", code: "malformed_cursor", message: "must be a cursor that this list returned" }],
  });
}
