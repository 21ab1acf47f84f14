"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Id } from "../../_components/controls/id.tsx";
import { Money } from "../../_components/controls/money.tsx";
import { CallbackBadge, SettlementBadge } from "../../_components/controls/status-badge.tsx";
import { Time } from "../../_components/controls/time.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Answered, Empty } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import type { Decided, Row } from "./answers.ts";

const VERBS: Record<string, string> = {
  "settlement.approved": "Approved",
  "settlement.rejected": "Rejected",
  "settlement.approval_recorded": "First approval",
};

const link = (row: Row) => (
  <Id value={row.settlement.tx_id} what="settlement" href={`/console/settlements/${row.settlement.tx_id}`} copy={false} />
);
const who = (row: Row) => (
  <span className="short">
    {row.partner.name} · {row.settlement.external_merchant_id}
  </span>
);
const source = (row: Row) => <Money amount={row.amounts.source} currency={row.settlement.source_currency} />;
const net = (row: Row) => <Money amount={row.amounts.net} currency={row.settlement.destination_currency} />;

/** What the asker decided, the latest first, as it stands today. */
export function DecidedByMe() {
  const trpc = useTRPC();
  const answer = useAnswer(useQuery(trpc.approvals.decided.queryOptions(undefined)));
  const columns = useMemo<Column<Decided>[]>(
    () => [
      { id: "verb", header: "Your decision", pinned: true, cell: ({ decision }) => VERBS[decision.action] ?? decision.action },
      { id: "status", header: "Stands now", cell: ({ settlement }) => <SettlementBadge settlement={settlement} /> },
      { id: "at", header: "When", cell: ({ decision }) => <Time at={decision.at} /> },
      { id: "tx", header: "Settlement", cell: link },
      { id: "who", header: "Partner · merchant", cell: who },
      { id: "source", header: "Source amount", align: "end", cell: source },
      { id: "net", header: "Net amount", align: "end", cell: net },
      { id: "reason", header: "Note or reason", cell: ({ decision }) => <span className="short">{decision.reason ?? "–"}</span> },
    ],
    [],
  );
  return (
    <Answered of={answer}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="Nothing decided yet">What you approve or reject is listed here.</Empty>
        ) : (
          <Table
            caption="Settlements that you decided, the latest first"
            columns={columns}
            rows={data}
            keyOf={({ settlement }) => settlement.tx_id}
            card={(row) => (
              <>
                <span className="card-line">
                  <strong>{VERBS[row.decision.action]}</strong>
                  <Time at={row.decision.at} />
                </span>
                <PastCard row={row} />
              </>
            )}
          />
        )
      }
    </Answered>
  );
}

/** Approved settlements that the partner did not confirm in time. */
export function LapsedAfterApproval() {
  const trpc = useTRPC();
  const answer = useAnswer(useQuery(trpc.approvals.lapsed.queryOptions(undefined, { refetchInterval: 60_000 })));
  const columns = useMemo<Column<Row>[]>(
    () => [
      { id: "status", header: "Status", pinned: true, cell: ({ settlement }) => <SettlementBadge settlement={settlement} /> },
      { id: "lapsed", header: "Lapsed", cell: ({ settlement }) => <Time at={settlement.expires_at} /> },
      { id: "tx", header: "Settlement", cell: link },
      { id: "who", header: "Partner · merchant", cell: who },
      { id: "source", header: "Source amount", align: "end", cell: source },
      { id: "net", header: "Net amount", align: "end", cell: net },
      {
        id: "decided",
        header: "Approved",
        cell: ({ settlement }) => (settlement.approval_decided_at ? <Time at={settlement.approval_decided_at} /> : "–"),
      },
      { id: "callback", header: "Callback", cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} /> },
    ],
    [],
  );
  return (
    <Answered of={answer}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="Nothing lapsed">Approved settlements whose partner let the new price run out are listed here.</Empty>
        ) : (
          <Table
            caption="Approved settlements that lapsed, the latest first"
            columns={columns}
            rows={data}
            keyOf={({ settlement }) => settlement.tx_id}
            card={(row) => <PastCard row={row} />}
          />
        )
      }
    </Answered>
  );
}

function PastCard({ row }: { row: Row }) {
  return (
    <>
      <span className="card-line">
        <SettlementBadge settlement={row.settlement} />
        {link(row)}
      </span>
      <span className="card-line">
        {source(row)} {net(row)}
      </span>
      <span className="card-line muted">{who(row)}</span>
    </>
  );
}
