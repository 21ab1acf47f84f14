import { EVENT_OBJECTS, EVENT_TYPE_NAMES, objectOf } from "#domain/event.ts";
import { newSampleId } from "#domain/ids.ts";
import { FORGED, type Probe, REPLAYED, refused, type Shot, taken } from "#server/services/callbacks/judge-probe.ts";
import type { ProbeKeys } from "#server/services/callbacks/receiver-probes.ts";

type Made = { type: string; object_id: string; version: number };

/** The probes of a receiver of events (contract, part 12). Events about nothing: their ids have zeros where every other has its time. */
export function eventProbes({ sign, signAsStranger }: ProbeKeys): Probe[] {
  const event = (made: Partial<Made>, now: Date) => {
    const id = newSampleId("event");
    const type = made.type ?? "settlement.executed";
    const object = { object_type: type.split(".")[0], object_id: made.object_id ?? newSampleId("settlement"), version: made.version ?? 1 };
    return { id, body: JSON.stringify({ id, type, created_at: now.toISOString(), ...object, data: {} }) };
  };
  type Event = ReturnType<typeof event>;
  const shot = (one: Event, at: Date): Shot => ({ headers: sign(one, at), body: one.body });
  const ofOne = (now: Date, ...versions: number[]) => {
    const object_id = newSampleId("settlement");
    return versions.map((version) => shot(event({ object_id, version }, now), now));
  };
  const moved = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000);
  return [
    taken(
      ["event of each object", "Takes an event of each kind of object", "The destination waits at the first event that you refuse."],
      (now) =>
        EVENT_OBJECTS.map((object) => shot(event({ type: EVENT_TYPE_NAMES.find((type) => objectOf(type) === object) ?? "" }, now), now)),
    ),
    taken(
      [
        "repeat",
        "Takes the same event again; if it sends X-Work-Count, that rises once",
        "After a crash or a replay, events come again under the same id.",
      ],
      (now) => {
        const one = event({}, now);
        return [shot(one, now), shot(one, now), shot(one, moved(now, 0.1))];
      },
      { effects: 1 },
    ),
    taken(
      [
        "older version",
        "Takes an older version after a newer one; if it sends X-Work-Count, that does not rise",
        "After a crash or a replay, an older version can come after a newer one. It would overwrite what is newer.",
      ],
      (now) => ofOne(now, 2, 1),
      { effects: 1 },
    ),
    taken(
      ["gap", "Takes a version after a gap", "A destination gets the types that you chose, so versions are missing in between."],
      (now) => ofOne(now, 1, 4),
      { effects: 2 },
    ),
    taken(
      ["unknown type", "Takes an event of an unknown type", "Types are added over time. A refused one stops your destination."],
      (now) => [shot(event({ type: "settlement.certified" }, now), now)],
    ),
    refused(["no signature", "Refuses an unsigned event", FORGED], (now) => [
      { headers: { "content-type": "application/json" }, body: event({}, now).body },
    ]),
    refused(["foreign signature", "Refuses an event that someone else signed", FORGED], (now) => {
      const one = event({}, now);
      return [{ headers: signAsStranger(one, now), body: one.body }];
    }),
    refused(["altered body", "Refuses an event with another version under the same signature", FORGED], (now) => {
      const own = shot(event({}, now), now);
      return [{ ...own, body: own.body.replace('"version":1', '"version":9') }];
    }),
    refused(["old", "Refuses an event with a timestamp six minutes in the past", REPLAYED], (now) => [
      shot(event({}, now), moved(now, -6)),
    ]),
    taken(["still well", "Takes a valid event after all the others", "An attacker's requests must not block the service's own."], (now) => [
      shot(event({}, now), now),
    ]),
  ];
}
