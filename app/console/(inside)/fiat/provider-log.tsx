import { Check, CircleAlert, CircleHelp, Repeat } from "lucide-react";
import { CodeBlock } from "../../_components/controls/code-block.tsx";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import type { WithdrawalStory } from "./story.ts";

type Event = WithdrawalStory["provider_events"][number];

const EFFECTS = {
  applied: { word: "Applied", icon: Check, tone: "executed" },
  repeated: { word: "Repeated", icon: Repeat, tone: "cancelled" },
  late: { word: "Too late", icon: CircleHelp, tone: "failed" },
  contradicted: { word: "Contradicts", icon: CircleAlert, tone: "failed" },
  unknown_order: { word: "Unknown order", icon: CircleHelp, tone: "failed" },
} as const;
const SOURCES = { callback: "It called", answer: "Answer to the order", look_up: "When asked", operator: "To an operator" };

/** Every word of the provider's about the order, in the order in which they came: only what was applied moved anything. */
export function ProviderLog({ events }: { events: readonly Event[] }) {
  if (events.length === 0) return <p className="muted">It has said nothing final yet.</p>;
  const columns: Column<Event>[] = [
    { id: "at", header: "Received", cell: ({ at }) => <Time at={at} form="absolute" />, inCard: ({ at }) => <Time at={at} />, card: 1.2 },
    { id: "source", header: "How", cell: ({ source }) => SOURCES[source], card: 2.2, aside: true },
    { id: "status", header: "Said", cell: (event) => <Said event={event} />, card: 2.1 },
    { id: "reference", header: "Reference", cell: ({ reference }) => <code>{reference ?? "–"}</code> },
    { id: "effect", header: "Effect", cell: ({ effect }) => <Badge {...EFFECTS[effect]} />, card: 1.1 },
  ];
  const bodies = events.filter(({ body }) => body !== null);
  return (
    <>
      <Table caption="The words of the provider, oldest first" columns={columns} rows={events} keyOf={({ id }) => id} />
      {bodies.length > 0 && (
        <details>
          <summary>Bytes of its {bodies.length === 1 ? "call" : `${bodies.length} calls`}</summary>
          {bodies.map(({ id, at, body }) => (
            <CodeBlock key={id} label={`Call of ${at}`} text={body ?? ""} />
          ))}
        </details>
      )}
    </>
  );
}

function Said({ event: { status, reason } }: { event: Event }) {
  return (
    <span>
      {status === "succeeded" ? "Succeeded" : "Failed"}
      {reason && <span className="muted"> “{reason}”</span>}
    </span>
  );
}
