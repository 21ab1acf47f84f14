"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { DecideDialog, type Decision } from "./decide-dialog.tsx";
import { kindWords, type ProposalRow, proposerWords } from "./words.ts";

const WHAT: Column<ProposalRow> = {
  ...{ id: "what", header: "What", pinned: true, card: 1 },
  cell: ({ kind, subject }) => (
    <span className="who">
      <strong>{kindWords(kind)}</strong>
      <span className="muted">{subject}</span>
    </span>
  ),
};
const BY: Column<ProposalRow> = { id: "by", header: "Proposed by", cell: proposerWords };
const WAITING: readonly Column<ProposalRow>[] = [
  WHAT,
  { ...BY, inCard: (row) => `by ${proposerWords(row)}`, card: 2.1, aside: true },
  { id: "at", header: "Since", cell: ({ proposed_at }) => <Time at={proposed_at} /> },
  { id: "reason", header: "Reason", cell: ({ reason }) => reason ?? <span className="muted">None given</span> },
];
const DECIDED: readonly Column<ProposalRow>[] = [
  WHAT,
  BY,
  {
    ...{ id: "outcome", header: "Outcome", card: 2.1 },
    cell: ({ outcome }) => (
      <span className="badge" data-tone={outcome === "carried_out" ? "executed" : "cancelled"}>
        {outcome === "carried_out" ? "Carried out" : "Withdrawn"}
      </span>
    ),
  },
  {
    ...{ id: "decider", header: "Decided by", card: 2.2, aside: true },
    cell: ({ decided_by }) => decided_by?.name,
    inCard: ({ decided_by }) => `by ${decided_by?.name}`,
  },
  { id: "at", header: "When", cell: ({ decided_at }) => decided_at && <Time at={decided_at} /> },
];

/** What one of the operator's people has proposed and another one has to confirm before it happens. */
export function Proposals({ mayDecide }: { mayDecide: boolean }) {
  const trpc = useTRPC();
  const [chosen, setChosen] = useState<Decision | null>(null);
  const list = useQuery(trpc.proposals.list.queryOptions());
  const refresh = useRefresh(trpc.proposals.list.queryKey());
  useLiveChanges(({ action }) => action.startsWith("proposal."), refresh);
  const actions = (proposal: ProposalRow) =>
    mayDecide && (
      <span className="form-buttons">
        <Button onClick={() => setChosen({ proposal, deed: "withdraw" })} aria-label={`Withdraw: ${proposal.subject}`}>
          Withdraw
        </Button>
        {!proposal.proposed_by.is_asker && (
          <Button look="primary" onClick={() => setChosen({ proposal, deed: "confirm" })} aria-label={`Confirm: ${proposal.subject}`}>
            Confirm
          </Button>
        )}
      </span>
    );
  const waiting: readonly Column<ProposalRow>[] = [...WAITING, { id: "actions", header: "", align: "end", cell: actions, card: 2.2 }];
  return (
    <>
      <PageHeader title="Proposals" />
      <Answered of={list} waiting={<Skeleton rows={3} />}>
        {({ open, decided, mode }) => (
          <>
            <Section title="Waiting for a second person">
              {open.length === 0 ? (
                <Empty title="Nothing waits for a second person">
                  <p>
                    {mode === "sandbox"
                      ? "In the sandbox one person suffices. In live mode new thresholds, admins and operator keys wait here for another admin."
                      : "New thresholds, admins and operator keys wait here until another admin has confirmed them."}
                  </p>
                </Empty>
              ) : (
                <Table caption="Proposals that wait" columns={waiting} rows={open} keyOf={({ id }) => id} />
              )}
            </Section>
            {decided.length > 0 && (
              <Section title="Decided">
                <Table caption="Decided proposals" columns={DECIDED} rows={decided} keyOf={({ id }) => id} />
              </Section>
            )}
          </>
        )}
      </Answered>
      {chosen && <DecideDialog chosen={chosen} onClose={() => setChosen(null)} onDecided={refresh} />}
    </>
  );
}
