"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { onDemand } from "../../_components/controls/on-demand.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import type { Decision } from "./decide-dialog.tsx";
import { kindWords, type ProposalRow, proposerWords } from "./kinds.ts";
import { Proposer } from "./proposer.tsx";
import { KINDS, PROPOSALS } from "./words.ts";

const DecideDialog = onDemand(() => import("./decide-dialog.tsx").then(({ DecideDialog: Loaded }) => Loaded));

type Says = typeof PROPOSALS & typeof KINDS;

const whatOf = (says: Says): Column<ProposalRow> => ({
  ...{ id: "what", header: says.what, pinned: true, card: 1 },
  cell: ({ kind, subject }) => (
    <span className="who">
      <strong>{kindWords(kind, says)}</strong>
      <span className="muted" translate="no">
        {subject}
      </span>
    </span>
  ),
});
const byOf = (says: Says): Column<ProposalRow> => ({ id: "by", header: says.proposedBy, cell: (row) => <Proposer proposal={row} /> });
const waitingOf = (says: Says): readonly Column<ProposalRow>[] => [
  whatOf(says),
  { ...byOf(says), inCard: (row) => says.by(proposerWords(row, says)), card: 2.1, aside: true },
  { id: "at", header: says.since, cell: ({ proposed_at }) => <Time at={proposed_at} /> },
  {
    id: "reason",
    header: says.reason,
    cell: ({ reason }) => (reason ? <Data>{reason}</Data> : <span className="muted">{says.noneGiven}</span>),
  },
];
const decidedOf = (says: Says): readonly Column<ProposalRow>[] => [
  whatOf(says),
  byOf(says),
  {
    ...{ id: "outcome", header: says.outcome, card: 2.1 },
    cell: ({ outcome }) => (
      <span className="badge" data-tone={outcome === "carried_out" ? "executed" : "cancelled"}>
        {outcome === "carried_out" ? says.carriedOut : says.withdrawn}
      </span>
    ),
  },
  {
    ...{ id: "decider", header: says.decidedBy, card: 2.2, aside: true },
    cell: ({ decided_by }) => decided_by && <Data>{decided_by.name}</Data>,
    inCard: ({ decided_by }) => says.by2(decided_by?.name),
  },
  { id: "at", header: says.when, cell: ({ decided_at }) => decided_at && <Time at={decided_at} /> },
];

/** What one of the operator's people has proposed and another one has to confirm before it happens. */
export function Proposals({ mayDecide }: { mayDecide: boolean }) {
  const says = { ...useWords(PROPOSALS), ...useWords(KINDS) };
  const trpc = useTRPC();
  const [chosen, setChosen] = useState<Decision | null>(null);
  const list = useQuery(trpc.proposals.list.queryOptions());
  const refresh = useRefresh(trpc.proposals.list.queryKey());
  useLiveChanges(({ action }) => action.startsWith("proposal."), refresh);
  const actions = (proposal: ProposalRow) =>
    mayDecide && (
      <span className="form-buttons">
        <Button onClick={() => setChosen({ proposal, deed: "withdraw" })} aria-label={says.withdraw(proposal.subject)}>
          {says.withdraw2}
        </Button>
        {!proposal.proposed_by.is_asker && (
          <Button look="primary" onClick={() => setChosen({ proposal, deed: "confirm" })} aria-label={says.confirm(proposal.subject)}>
            {says.confirm2}
          </Button>
        )}
      </span>
    );
  const waiting: readonly Column<ProposalRow>[] = [
    ...waitingOf(says),
    { id: "actions", header: "", align: "end", cell: actions, card: 2.2 },
  ];
  return (
    <>
      <PageHeader title={says.proposals} />
      <Answered of={list} waiting={<Skeleton rows={3} />}>
        {({ open, decided, mode }) => (
          <>
            <Section title={says.waitingSecondPerson}>
              {open.length === 0 ? (
                <Empty title={says.nothingWaitsSecond}>
                  <p>{mode === "sandbox" ? says.sandboxOnePerson : says.newThresholdsAdmins}</p>
                </Empty>
              ) : (
                <Table caption={says.proposalsWait} columns={waiting} rows={open} keyOf={({ id }) => id} />
              )}
            </Section>
            {decided.length > 0 && (
              <Section title={says.decided}>
                <Table caption={says.decidedProposals} columns={decidedOf(says)} rows={decided} keyOf={({ id }) => id} />
              </Section>
            )}
          </>
        )}
      </Answered>
      {chosen && <DecideDialog chosen={chosen} onClose={() => setChosen(null)} onDecided={refresh} />}
    </>
  );
}
