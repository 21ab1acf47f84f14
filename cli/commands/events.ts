import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import type { Paint } from "#cli/out.ts";
import { Unanswered } from "#sdk/typescript/src/index.ts";
import { sleep } from "#sdk/typescript/src/transport.ts";

type Event = { id: string; type: string; created_at: string; object_id: string; version: number };
type Page = { data: readonly Event[]; next_cursor: string };

/** The service holds a request for so long until there is an event. */
const WAIT_SECONDS = 20;
/** The pause after an outage, and after an empty page that came at once. */
const PAUSE_MS = 1_000;

export const events = defineCommand({
  name: "events",
  summary: "List every change, oldest first, and follow what changes next",
  usage: "[--follow] [--types TYPES] [--place FILE]",
  options: {
    follow: { type: "boolean", short: "f", about: "Continue, and print each event as it happens" },
    types: { type: "string", value: "TYPES", about: "Only these, separated by commas: settlement.executed,batch.*" },
    place: { type: "string", value: "FILE", about: "Keep the place in this file, and go on there the next time" },
  },
  notes: [
    "Events are kept for 30 days. With --json each line is the whole event.",
    "With --place, events of one page may come again after a crash, under the same ids.",
  ],
  async run({ values, positionals, out, profile, signal }) {
    only(positionals);
    const client = clientOf(profile());
    const { follow = false, types, place } = values;
    let cursor = place !== undefined && existsSync(place) ? readFileSync(place, "utf8").trim() : undefined;
    while (!signal.aborted) {
      const began = Date.now();
      const query = { limit: 100, wait: follow ? WAIT_SECONDS : 0, ...(types && { types }), ...(cursor && { cursor }) };
      try {
        const found = (await client.call({ surface: "settlement", method: "GET", path: "/api/v1/events", query, signal })) as Page;
        for (const event of found.data) out.print(event, (paint) => line(event, paint));
        cursor = found.next_cursor;
        if (place !== undefined) writeFileSync(place, `${cursor}\n`);
        if (found.data.length > 0) continue;
        if (!follow) return EXIT.done;
      } catch (error) {
        if (signal.aborted) break;
        if (!follow || !(error instanceof Unanswered)) throw error;
        out.note(`${error.message}; still following …`);
      }
      if (Date.now() - began < PAUSE_MS) await sleep(PAUSE_MS, signal).catch(() => {});
    }
    return EXIT.done;
  },
});

function line({ created_at: at, type, object_id: object, version }: Event, paint: Paint): string {
  return `${paint.dim(at)}  ${type.padEnd(22)}  ${object}  version ${version}`;
}
