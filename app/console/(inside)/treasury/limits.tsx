import { useQuery } from "@tanstack/react-query";
import { Eye, OctagonMinus, Power } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import type { Halt, Limit } from "./answers.ts";
import { LimitDialog } from "./limit-dialog.tsx";
import { MODE_WORDS, scopeOfLimit, sentenceOfLimit } from "./limit-words.ts";
import type { Order } from "./order-dialog.tsx";

type Props = { halts: readonly Halt[]; onOrder: ((order: Order) => void) | null };

/** How much may be paid out before somebody looks, and the stop of a pair or of everything. */
export function Limits({ halts, onOrder }: Props) {
  const trpc = useTRPC();
  const options = trpc.exposure.limits.queryOptions();
  const query = useQuery(options);
  const choices = useQuery(trpc.settlements.choices.queryOptions());
  const [edited, setEdited] = useState<Limit | "new" | null>(null);
  const reload = useRefresh(options.queryKey);
  useLiveChanges(({ action }) => action.startsWith("exposure_limit.") || action.startsWith("proposal."), reload);
  const partners = choices.data?.partners ?? [];
  const nameOf = (id: string) => partners.find((partner) => partner.id === id)?.name ?? "One partner";
  const columns = columnsOf(nameOf, onOrder === null ? null : setEdited);
  return (
    <Answered of={query}>
      {({ limits, replaced, pairs }) => (
        <>
          {onOrder && <EmergencyStop pairs={pairs} halts={halts} onOrder={onOrder} />}
          <Section
            title="Limits"
            aside={
              onOrder && (
                <Button look="primary" onClick={() => setEdited("new")}>
                  New limit
                </Button>
              )
            }
          >
            <p className="muted limits-words">
              What is beyond a limit is confirmed all the same, and waits for an admin before it is paid. Of limits of one kind, counted by
              the same over the same time, the one that names most about a payment holds.
            </p>
            {limits.length === 0 ? (
              <Empty title="Nothing is limited">
                <p>A partner's key may spend up to a pair's maximum again and again until somebody looks.</p>
              </Empty>
            ) : (
              <Table caption="Limits" columns={columns} rows={limits} keyOf={({ id }) => id} />
            )}
          </Section>
          {replaced.length > 0 && (
            <Section title="Replaced versions">
              <ul>
                {replaced.map((limit) => (
                  <li key={`${limit.id} ${limit.version}`}>
                    <code>{limit.id}</code>, version {limit.version} of <Time at={limit.made_at} />: {sentenceOfLimit(limit)}.{" "}
                    <span className="muted">
                      {scopeOfLimit(limit, nameOf)}. {MODE_WORDS[limit.mode]}. {limit.reason}
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
          {edited !== null && (
            <LimitDialog limit={edited === "new" ? null : edited} partners={partners} onClose={() => setEdited(null)} onSaved={reload} />
          )}
        </>
      )}
    </Answered>
  );
}

type StopProps = { pairs: readonly string[]; halts: readonly Halt[]; onOrder: (order: Order) => void };

function EmergencyStop({ pairs, halts, onOrder }: StopProps) {
  const [pair, setPair] = useState("");
  const stands = (kind: string, key: string) => halts.some(({ lane_kind, lane_key }) => lane_kind === kind && lane_key === key);
  const open = pairs.filter((each) => !stands("pair", each));
  const choices = [{ value: "", label: "Choose a pair" }, ...open.map((value) => ({ value, label: value }))];
  return (
    <Section title="Emergency stop">
      <div className="form">
        <p className="muted">
          Nothing new is signed from that moment on. What is confirmed meanwhile waits, and goes on when the halt is lifted. A chain or a
          wallet is halted under Wallets.
        </p>
        {!stands("all", "*") && (
          <div>
            <Button look="danger" onClick={() => onOrder({ what: "halt", kind: "all", key: "*", name: "everything" })}>
              Stop everything
            </Button>
          </div>
        )}
        <div className="limits-pair">
          <Select label="Pair" choices={choices} value={pair} onChange={({ target }) => setPair(target.value)} />
          <Button disabled={!open.includes(pair)} onClick={() => onOrder({ what: "halt", kind: "pair", key: pair, name: pair })}>
            Stop the pair
          </Button>
        </div>
      </div>
    </Section>
  );
}

function modeOf({ mode }: Limit) {
  if (mode === "enforce") return <Badge word={MODE_WORDS.enforce} icon={OctagonMinus} tone="processing" />;
  return <Badge word={MODE_WORDS[mode]} icon={mode === "off" ? Power : Eye} tone="cancelled" />;
}

function columnsOf(nameOf: (id: string) => string, onEdit: ((limit: Limit) => void) | null): Column<Limit>[] {
  const columns: Column<Limit>[] = [
    { id: "says", header: "Limit", cell: sentenceOfLimit, card: 1.1 },
    { id: "scope", header: "Concerns", cell: (limit) => scopeOfLimit(limit, nameOf), card: 2.1 },
    { id: "mode", header: "Mode", cell: modeOf, card: 1.2 },
    {
      ...{ id: "id", header: "Name", card: 3.1 },
      cell: ({ id, version }) => (
        <>
          <code>{id}</code> <span className="muted">v{version}</span>
        </>
      ),
    },
    { id: "since", header: "Since", cell: ({ made_at }) => <Time at={made_at} /> },
  ];
  if (onEdit === null) return columns;
  const change = (limit: Limit) => (
    <Button onClick={() => onEdit(limit)}>
      Change<span className="sr-only"> {limit.id}</span>
    </Button>
  );
  return [...columns, { id: "change", header: "Change", cell: change, card: 3.2 }];
}
