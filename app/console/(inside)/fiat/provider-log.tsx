import { Check, CircleAlert, CircleHelp, Repeat } from "lucide-react";
import { CodeBlock } from "../../_components/controls/code-block.tsx";
import { Badge, Id, Time } from "../../_components/controls/values.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { WithdrawalStory } from "./story.ts";
import { PROVIDER_LOG } from "./story-words.ts";

type Event = WithdrawalStory["provider_events"][number];

const EFFECTS = {
  applied: { icon: Check, tone: "executed" },
  repeated: { icon: Repeat, tone: "cancelled" },
  late: { icon: CircleHelp, tone: "failed" },
  contradicted: { icon: CircleAlert, tone: "failed" },
  unknown_order: { icon: CircleHelp, tone: "failed" },
} as const;

/** Every report of the provider about the order, in order of arrival. Only applied ones had an effect. */
export function ProviderLog({ events }: { events: readonly Event[] }) {
  const t = useTranslations(PROVIDER_LOG);
  if (events.length === 0) return <p className="muted">{t.none}</p>;
  const columns: Column<Event>[] = [
    {
      id: "at",
      header: t.received,
      cell: ({ at }) => <Time at={at} form="absolute" />,
      inCard: ({ at }) => <Time at={at} />,
      card: 1.2,
    },
    { id: "source", header: t.source, cell: ({ source }) => t.sources[source], card: 2.2, aside: true },
    { id: "status", header: t.result, cell: (event) => <Said event={event} />, card: 2.1 },
    {
      id: "reference",
      header: t.reference,
      cell: ({ reference }) => (reference === null ? <None /> : <Id value={reference} what={t.referenceNoun} />),
    },
    { id: "effect", header: t.effect, cell: ({ effect }) => <Badge word={t.effects[effect]} {...EFFECTS[effect]} />, card: 1.1 },
  ];
  const bodies = events.filter(({ body }) => body !== null);
  return (
    <>
      <Table caption={t.caption} columns={columns} rows={events} keyOf={({ id }) => id} />
      {bodies.length > 0 && (
        <details>
          <summary>{t.rawCalls(bodies.length)}</summary>
          {bodies.map(({ id, at, body }) => (
            <CodeBlock key={id} label={t.callOf(at)} text={body ?? ""} />
          ))}
        </details>
      )}
    </>
  );
}

function Said({ event: { status, reason } }: { event: Event }) {
  const t = useTranslations(PROVIDER_LOG);
  return (
    <span>
      {status === "succeeded" ? t.succeeded : t.failed}
      {reason && (
        <span className="muted" translate="no">
          {" "}
          “{reason}”
        </span>
      )}
    </span>
  );
}
