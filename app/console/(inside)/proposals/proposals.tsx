"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/time.tsx";
import { useLiveChanges } from "../../_components/frame/live.tsx";
import { PageHeader, Section } from "../../_components/frame/page-header.tsx";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { DecideDialog, type Decision } from "./decide-dialog.tsx";
import { kindWords, type ProposalRow, proposerWords } from "./words.ts";

/** What one of the operator's people has proposed and another one has to confirm before it happens. */
export function Proposals({ mayDecide }: { mayDecide: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Decision | null>(null);
  const list = useQuery(trpc.proposals.list.queryOptions());
  const refresh = () => void queries.invalidateQueries({ queryKey: trpc.proposals.list.queryKey() });
  useLiveChanges(({ action }) => action.startsWith("proposal."), refresh);
  return (
    <>
      <PageHeader title="Proposals" />
      {list.isPending && <Skeleton rows={3} />}
      {list.error && !list.data && <Trouble error={list.error} onRetry={() => void list.refetch()} />}
      {list.error && list.data && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <>
          <Section title="Waiting for a second person">
            {list.data.open.length === 0 ? (
              <Empty title="Nothing waits for a second person">
                <p>
                  {list.data.mode === "sandbox"
                    ? "In the sandbox one person suffices. In live mode new thresholds, admins and operator keys wait here for another admin."
                    : "New thresholds, admins and operator keys wait here until another admin has confirmed them."}
                </p>
              </Empty>
            ) : (
              <OpenTable rows={list.data.open} mayDecide={mayDecide} onChoose={setChosen} />
            )}
          </Section>
          {list.data.decided.length > 0 && (
            <Section title="Decided">
              <DecidedTable rows={list.data.decided} />
            </Section>
          )}
        </>
      )}
      {chosen && <DecideDialog chosen={chosen} onClose={() => setChosen(null)} onDecided={refresh} />}
    </>
  );
}

type OpenProps = { rows: readonly ProposalRow[]; mayDecide: boolean; onChoose: (decision: Decision) => void };

function OpenTable({ rows, mayDecide, onChoose }: OpenProps) {
  const actions = (proposal: ProposalRow) =>
    mayDecide && (
      <span className="form-buttons">
        <Button onClick={() => onChoose({ proposal, deed: "withdraw" })} aria-label={`Withdraw: ${proposal.subject}`}>
          Withdraw
        </Button>
        {!proposal.proposed_by.is_asker && (
          <Button look="primary" onClick={() => onChoose({ proposal, deed: "confirm" })} aria-label={`Confirm: ${proposal.subject}`}>
            Confirm
          </Button>
        )}
      </span>
    );
  const columns: Column<ProposalRow>[] = [
    { id: "what", header: "What", pinned: true, cell: What },
    { id: "by", header: "Proposed by", cell: proposerWords },
    { id: "at", header: "Since", cell: ({ proposed_at }) => <Time at={proposed_at} /> },
    { id: "reason", header: "Reason", cell: ({ reason }) => reason ?? <span className="muted">None given</span> },
    { id: "actions", header: "", align: "end", cell: actions },
  ];
  return (
    <Table
      caption="Proposals that wait"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      card={(proposal) => (
        <>
          <What {...proposal} />
          <div className="card-line">
            <span className="muted">by {proposerWords(proposal)}</span>
            {actions(proposal)}
          </div>
        </>
      )}
    />
  );
}

function DecidedTable({ rows }: { rows: readonly ProposalRow[] }) {
  const columns: Column<ProposalRow>[] = [
    { id: "what", header: "What", pinned: true, cell: What },
    { id: "by", header: "Proposed by", cell: proposerWords },
    { id: "outcome", header: "Outcome", cell: Outcome },
    { id: "decider", header: "Decided by", cell: ({ decided_by }) => decided_by?.name },
    { id: "at", header: "When", cell: ({ decided_at }) => decided_at && <Time at={decided_at} /> },
  ];
  return (
    <Table
      caption="Decided proposals"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      card={(proposal) => (
        <>
          <What {...proposal} />
          <div className="card-line">
            <Outcome {...proposal} />
            <span className="muted">by {proposal.decided_by?.name}</span>
          </div>
        </>
      )}
    />
  );
}

function What({ kind, subject }: Pick<ProposalRow, "kind" | "subject">) {
  return (
    <span className="who">
      <strong>{kindWords(kind)}</strong>
      <span className="muted">{subject}</span>
    </span>
  );
}

function Outcome({ outcome }: Pick<ProposalRow, "outcome">) {
  return (
    <span className="badge" data-tone={outcome === "carried_out" ? "executed" : "cancelled"}>
      {outcome === "carried_out" ? "Carried out" : "Withdrawn"}
    </span>
  );
}
