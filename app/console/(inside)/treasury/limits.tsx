import { useQuery } from "@tanstack/react-query";
import { Eye, OctagonMinus, Power } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { plain } from "../../_components/lists/filters.ts";
import { Empty, QueryBoundary } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Halt, Limit } from "./answers.ts";
import { scopeOfLimit, sentenceOfLimit } from "./limit-sentences.ts";
import { LIMIT, LIMITS } from "./limit-words.ts";
import type { Order } from "./order-dialog.tsx";

const LimitDialog = lazyComponent(() => import("./limit-dialog.tsx").then(({ LimitDialog: Loaded }) => Loaded));

type Translations = WithShared<typeof LIMITS>;

type Props = { halts: readonly Halt[]; onOrder: ((order: Order) => void) | null };

/** The limits above which payments wait for people, and the halts of a pair or of everything. */
export function Limits({ halts, onOrder }: Props) {
  const t = useTranslations(LIMITS);
  const words = useTranslations(LIMIT);
  const trpc = useTRPC();
  const options = trpc.exposure.limits.queryOptions();
  const query = useQuery(options);
  const choices = useQuery(trpc.settlements.choices.queryOptions());
  const [edited, setEdited] = useState<Limit | "new" | null>(null);
  const reload = useRefresh(options.queryKey);
  useLiveChanges(({ action }) => action.startsWith("exposure_limit.") || action.startsWith("proposal."), reload);
  const partners = choices.data?.partners ?? [];
  const nameOf = (id: string) => partners.find((partner) => partner.id === id)?.name ?? t.onePartner;
  const columns = columnsOf(nameOf, onOrder === null ? null : setEdited, t, words);
  return (
    <QueryBoundary of={query}>
      {({ limits, replaced, pairs }) => (
        <>
          {onOrder && <EmergencyStop pairs={pairs} halts={halts} onOrder={onOrder} />}
          <Section
            title={t.limits}
            aside={
              onOrder && (
                <Button look="primary" onClick={() => setEdited("new")}>
                  {t.newLimit}
                </Button>
              )
            }
          >
            <p className="muted limits-words">{t.explanation}</p>
            {limits.length === 0 ? (
              <Empty title={t.none} more={t.noneMore} />
            ) : (
              <Table caption={t.limits} columns={columns} rows={limits} keyOf={({ id }) => id} />
            )}
          </Section>
          {replaced.length > 0 && (
            <Section title={t.replacedVersions}>
              <ul>
                {replaced.map((limit) => (
                  <li key={`${limit.id} ${limit.version}`}>
                    <Trans
                      sentence={t.replacedLine(limit.version)}
                      id={<code translate="no">{limit.id}</code>}
                      time={<Time at={limit.made_at} />}
                      limit={sentenceOfLimit(limit, words)}
                      rest={
                        <span className="muted">
                          <Data>{scopeOfLimit(limit, nameOf, words)}</Data>. {words.mode[limit.mode]}. <Data>{limit.reason}</Data>
                        </span>
                      }
                    />
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
    </QueryBoundary>
  );
}

type StopProps = { pairs: readonly string[]; halts: readonly Halt[]; onOrder: (order: Order) => void };

function EmergencyStop({ pairs, halts, onOrder }: StopProps) {
  const t = useTranslations(LIMITS);
  const [pair, setPair] = useState("");
  const isHalted = (kind: string, key: string) => halts.some(({ lane_kind, lane_key }) => lane_kind === kind && lane_key === key);
  const open = pairs.filter((each) => !isHalted("pair", each));
  const choices = [{ value: "", label: t.choosePair }, ...plain(open)];
  return (
    <Section title={t.stop}>
      <div className="form">
        <p className="muted">{t.stopExplained}</p>
        {!isHalted("all", "*") && (
          <div>
            <Button look="danger" onClick={() => onOrder({ what: "halt", kind: "all", key: "*", name: t.everything })}>
              {t.stopEverything}
            </Button>
          </div>
        )}
        <div className="limits-pair">
          <Select label={t.pair} choices={choices} value={pair} onChange={({ target }) => setPair(target.value)} />
          <Button disabled={!open.includes(pair)} onClick={() => onOrder({ what: "halt", kind: "pair", key: pair, name: pair })}>
            {t.stopPair}
          </Button>
        </div>
      </div>
    </Section>
  );
}

function Mode({ mode }: Pick<Limit, "mode">) {
  const word = useTranslations(LIMIT).mode[mode];
  if (mode === "enforce") return <Badge word={word} icon={OctagonMinus} tone="processing" />;
  return <Badge word={word} icon={mode === "off" ? Power : Eye} tone="cancelled" />;
}

function columnsOf(
  nameOf: (id: string) => string,
  onEdit: ((limit: Limit) => void) | null,
  t: Translations,
  words: typeof LIMIT,
): Column<Limit>[] {
  const columns: Column<Limit>[] = [
    { id: "says", header: t.limit, cell: (limit) => sentenceOfLimit(limit, words), card: 1.1 },
    { id: "scope", header: t.appliesTo, cell: (limit) => <Data>{scopeOfLimit(limit, nameOf, words)}</Data>, card: 2.1 },
    { id: "mode", header: t.mode, cell: (limit) => <Mode {...limit} />, card: 1.2 },
    {
      id: "id",
      header: t.name,
      card: 3.1,
      cell: ({ id, version }) => (
        <>
          <Data>
            <code>{id}</code> <span className="muted">v{version}</span>
          </Data>
        </>
      ),
    },
    { id: "since", header: t.since, cell: ({ made_at }) => <Time at={made_at} /> },
  ];
  if (onEdit === null) return columns;
  const change = (limit: Limit) => (
    <Button onClick={() => onEdit(limit)}>
      {t.change}
      <span className="sr-only" translate="no">
        {" "}
        {limit.id}
      </span>
    </Button>
  );
  return [...columns, { id: "change", header: t.change, cell: change, card: 3.2 }];
}
