import { z } from "zod";
import { instant, plainText, timestamp, wholeNumber } from "#contract/primitives.ts";
import { EVENT_OBJECTS, EVENT_TYPE_NAMES, type EventPlace, type PartnerEvent, typesOf } from "#domain/event.ts";
import { Refusal } from "#domain/refusal.ts";

/** Events (contract, part 12). */

export const eventSchema = z.object({
  id: z.string().describe("The event's id, ev_…"),
  type: z.enum(EVENT_TYPE_NAMES).describe("What has happened"),
  created_at: timestamp.describe("When it happened"),
  object_type: z.enum(EVENT_OBJECTS).describe("What it has happened to"),
  object_id: z.string().describe("Its id: tx_…, ba_…, wd_…, tu_…, cb_…, de_…, or a member's"),
  version: z.int().min(1).describe("Rises by one for each event of the object"),
  data: z.record(z.string(), z.unknown()).describe("What the GET of the object answered at that version"),
});

export const eventListSchema = z.object({
  data: z.array(eventSchema).describe("A page of events, oldest first"),
  next_cursor: z.string().describe("Where to go on, also where there is none just now"),
});

const PATTERNS = [...new Set(EVENT_TYPE_NAMES.map((type) => `${type.split(".")[0]}.*`))].join(", ");

export const listEventsQuery = z.strictObject({
  types: plainText(1, 1_024).optional().describe(`Only those of these types, separated by commas; ${PATTERNS} stand for all of one kind`),
  cursor: plainText(1, 256).optional().describe("The next_cursor of the page before; left out: from the oldest kept"),
  limit: wholeNumber(1, 100).optional().describe("How many at most; 25 when left out"),
  wait: wholeNumber(0, 20).optional().describe("So many seconds it waits for one where there is none; 0 when left out"),
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
