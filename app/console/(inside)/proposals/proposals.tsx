"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Decision } from "./decide-dialog.tsx";
import { kindWords, type ProposalRow, proposerWords } from "./kinds.ts";
import { Proposer } from "./proposer.tsx";
import { KINDS, PROPOSALS } from "./words.ts";

const DecideDialog = lazyComponent(() => import("./decide-dialog.tsx").then(({ DecideDialog: Loaded }) => Loaded));

const WORDS = { ...PROPOSALS, ...KINDS };
type Translations = WithShared<typeof WORDS>;

const whatOf = (t: Translations): Column<ProposalRow> => ({
  id: "what",
  header: t.what,
  pinned: true,
  card: 1,
  cell: ({ kind, subject }) => (
    <span className="who">
      <strong>{kindWords(kind, t)}</strong>
      <span className="muted" translate="no">
        {subject}
      </span>
    </span>
  ),
});
const byOf = (t: Translations): Column<ProposalRow> => ({ id: "by", header: t.proposedBy, cell: (row) => <Proposer proposal={row} /> });
const waitingOf = (t: Translations): readonly Column<ProposalRow>[] => [
  whatOf(t),
  { ...byOf(t), inCard: (row) => t.by(proposerWords(row, t)), card: 2.1, aside: true },
  { id: "at", header: t.since, cell: ({ proposed_at }) => <Time at={proposed_at} /> },
  {
    id: "reason",
    header: t.reason,
    cell: ({ reason }) => (reason ? <Data>{reason}</Data> : <span className="muted">{t.noneGiven}</span>),
  },
];
const decidedOf = (t: Translations): readonly Column<ProposalRow>[] => [
  whatOf(t),
  byOf(t),
  {
    id: "outcome",
    header: t.outcome,
    card: 2.1,
    cell: ({ outcome }) => (
      <span className="badge" data-tone={outcome === "carried_out" ? "executed" : "cancelled"}>
        {outcome === "carried_out" ? t.carriedOut : t.withdrawn}
      </span>
    ),
  },
  {
    id: "decider",
    header: t.decidedBy,
    card: 2.2,
    aside: true,
    cell: ({ decided_by }) => decided_by && <Data>{decided_by.name}</Data>,
    inCard: ({ decided_by }) => t.decidedByName(decided_by?.name),
  },
  { id: "at", header: t.when, cell: ({ decided_at }) => decided_at && <Time at={decided_at} /> },
];

/** What one of the operator's people has proposed and another one has to confirm before it happens. */
export function Proposals({ mayDecide }: { mayDecide: boolean }) {
  const t = useTranslations(WORDS);
  const trpc = useTRPC();
  const [chosen, setChosen] = useState<Decision | null>(null);
  const list = useQuery(trpc.proposals.list.queryOptions());
  const refresh = useRefresh(trpc.proposals.list.queryKey());
  useLiveChanges(({ action }) => action.startsWith("proposal."), refresh);
  const actions = (proposal: ProposalRow) =>
    mayDecide && (
      <span className="form-buttons">
        <Button onClick={() => setChosen({ proposal, mutation: "withdraw" })} aria-label={t.withdrawSubject(proposal.subject)}>
          {t.withdraw}
        </Button>
        {!proposal.proposed_by.is_asker && (
          <Button
            look="primary"
            onClick={() => setChosen({ proposal, mutation: "confirm" })}
            aria-label={t.confirmSubject(proposal.subject)}
          >
            {t.confirm}
          </Button>
        )}
      </span>
    );
  const waiting: readonly Column<ProposalRow>[] = [...waitingOf(t), { id: "actions", header: "", align: "end", cell: actions, card: 2.2 }];
  return (
    <>
      <PageHeader title={t.proposals} />
      <QueryBoundary of={list} waiting={<Skeleton rows={3} />}>
        {({ open, decided, mode }) => (
          <>
            <Section title={t.waitingTitle}>
              {open.length === 0 ? (
                <Empty title={t.noneWaiting} more={mode === "sandbox" ? t.sandboxExplained : t.whatComesHere} />
              ) : (
                <Table caption={t.waitingCaption} columns={waiting} rows={open} keyOf={({ id }) => id} />
              )}
            </Section>
            {decided.length > 0 && (
              <Section title={t.decided}>
                <Table caption={t.decidedCaption} columns={decidedOf(t)} rows={decided} keyOf={({ id }) => id} />
              </Section>
            )}
          </>
        )}
      </QueryBoundary>
      {chosen && <DecideDialog chosen={chosen} onClose={() => setChosen(null)} onDecided={refresh} />}
    </>
  );
}
