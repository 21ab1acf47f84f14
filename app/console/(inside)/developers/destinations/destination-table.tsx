import { Check, CircleAlert, Ellipsis, FlaskConical, History, Pause, Play, Trash2 } from "lucide-react";
import { IconButton } from "../../../_components/controls/button.tsx";
import { Menu, MenuItem } from "../../../_components/controls/menu.tsx";
import { Badge, Time } from "../../../_components/controls/values.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { Served, Trans, useTranslations } from "../../../_words/words.ts";
import type { Destination } from "./answers.ts";
import { DESTINATIONS } from "./words.ts";

export type Act = (what: "test" | "pause" | "resume" | "replay" | "delete", destination: Destination) => void;

/** `onAct` null: no actions. */
export function DestinationTable({ destinations, onAct }: { destinations: readonly Destination[]; onAct: Act | null }) {
  const t = useTranslations(DESTINATIONS);
  const columns: Column<Destination>[] = [
    { id: "place", header: t.place, pinned: true, cell: (one) => <Place {...one} />, card: 1.1 },
    { id: "kind", header: t.kind, cell: ({ type }) => t.kinds[type], card: 2.2, aside: true },
    { id: "state", header: t.state, cell: (one) => <State {...one} />, card: 2.1 },
    {
      id: "waiting",
      header: t.waiting,
      cell: (one) => <Waiting {...one} />,
      card: 3.1,
      inCard: (one) => <Labelled {...one} what="waiting" />,
    },
    {
      id: "last",
      header: t.lastDelivered,
      cell: (one) => <LastDelivered {...one} />,
      card: 3.2,
      aside: true,
      inCard: (one) => <Labelled {...one} what="last" />,
    },
    { id: "test", header: t.isTest, cell: (one) => <Test {...one} />, card: 4.1, inCard: (one) => <Labelled {...one} what="test" /> },
    { id: "types", header: t.types, cell: ({ types }) => <Types types={types} />, card: 5.1 },
    ...(onAct
      ? [{ id: "act", header: "", align: "end" as const, cell: (one: Destination) => <Actions one={one} onAct={onAct} />, card: 1.2 }]
      : []),
  ];
  return <Table caption={t.caption} columns={columns} rows={destinations} keyOf={({ id }) => id} />;
}

function Place({ url, description }: Destination) {
  return (
    <span className="destination-cell">
      {description !== "" && <span translate="no">{description}</span>}
      <code className="url" translate="no">
        {url}
      </code>
    </span>
  );
}

function State({ status, failing_since, paused_at, last_error, next_attempt_at }: Destination) {
  const t = useTranslations(DESTINATIONS);
  const error = <Served>{last_error ?? ""}</Served>;
  const failing = failing_since !== null && status === "active";
  return (
    <span className="destination-cell">
      {status === "paused" && <Badge word={t.states.paused} icon={Pause} tone="cancelled" />}
      {failing && <Badge word={t.failing} icon={CircleAlert} tone="failed" />}
      {status === "active" && !failing && <Badge word={t.states.active} icon={Check} tone="executed" />}
      {failing && (
        <span className="small">
          <Trans sentence={t.failingSince} time={<Time at={failing_since} />} error={error} />
        </span>
      )}
      {failing && next_attempt_at !== null && (
        <span className="small muted">
          <Trans sentence={t.nextAttempt} time={<Time at={next_attempt_at} />} />
        </span>
      )}
      {paused_at !== null && (
        <span className="small muted">
          <Trans sentence={t.pausedSince} time={<Time at={paused_at} />} />
        </span>
      )}
      {status === "paused" && last_error !== null && (
        <span className="small">
          <Trans sentence={t.lastError} error={error} />
        </span>
      )}
    </span>
  );
}

function Waiting({ waiting, waiting_since }: Destination) {
  const t = useTranslations(DESTINATIONS);
  if (waiting === 0 || waiting_since === null) return <span className="muted">{t.nothingWaits}</span>;
  return (
    <span>
      {t.waits(waiting < MOST ? t.format.count(waiting) : `${t.format.count(MOST)}+`)} <Time at={waiting_since} />
    </span>
  );
}

/** The service counts no further. */
const MOST = 1_000;

function LastDelivered({ last_delivered_at }: Destination) {
  const t = useTranslations(DESTINATIONS);
  return last_delivered_at === null ? <span className="none">{t.never}</span> : <Time at={last_delivered_at} />;
}

const LABELLED = { waiting: Waiting, last: LastDelivered, test: Test };

function Labelled({ what, ...one }: Destination & { what: keyof typeof LABELLED }) {
  const t = useTranslations(DESTINATIONS);
  const Shown = LABELLED[what];
  return (
    <span>
      {{ waiting: t.waiting, last: t.lastDelivered, test: t.isTest }[what]}: <Shown {...one} />
    </span>
  );
}

function Test({ last_test }: Destination) {
  const t = useTranslations(DESTINATIONS);
  if (last_test === null) return <span className="none">{t.never}</span>;
  const { ended_at, delivered, error } = last_test;
  if (ended_at === null) return <span className="muted">{t.testing}</span>;
  const [sentence, time] = [delivered ? t.testArrived : t.testFailed, <Time key="at" at={ended_at} />];
  return (
    <span className="small">
      <Trans sentence={sentence} time={time} error={<Served>{error ?? ""}</Served>} />
    </span>
  );
}

function Types({ types }: { types: readonly string[] }) {
  return (
    <span className="small" translate="no">
      {types.map((type) => (
        <code key={type}>{type} </code>
      ))}
    </span>
  );
}

function Actions({ one, onAct }: { one: Destination; onAct: Act }) {
  const t = useTranslations(DESTINATIONS);
  const isPaused = one.status === "paused";
  return (
    <Menu trigger={<IconButton label={t.actions(one.description || one.url)} icon={Ellipsis} />}>
      <MenuItem icon={FlaskConical} onSelect={() => onAct("test", one)}>
        {t.test}
      </MenuItem>
      <MenuItem icon={isPaused ? Play : Pause} onSelect={() => onAct(isPaused ? "resume" : "pause", one)}>
        {isPaused ? t.resume : t.pause}
      </MenuItem>
      <MenuItem icon={History} onSelect={() => onAct("replay", one)}>
        {t.replay}
      </MenuItem>
      <MenuItem icon={Trash2} onSelect={() => onAct("delete", one)}>
        {t.delete}
      </MenuItem>
    </Menu>
  );
}
