import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallbackBadge, Id, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { type Answer, useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Answered, Empty } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import type { Decided, Row } from "./answers.ts";

const VERBS: Record<string, string> = {
  "settlement.approved": "Approved",
  "settlement.rejected": "Rejected",
  "settlement.approval_recorded": "First approval",
};

/** How a settlement stands, in both lists. */
const STATUS: Column<Row> = {
  ...{ id: "status", header: "Status", card: 2.1 },
  cell: ({ settlement }) => <SettlementBadge settlement={settlement} />,
};
const REST: readonly Column<Row>[] = [
  {
    ...{ id: "tx", header: "Settlement", card: 2.2 },
    cell: ({ settlement: { tx_id } }) => <Id value={tx_id} what="settlement" href={`/console/settlements/${tx_id}`} copy={false} />,
  },
  {
    ...{ id: "who", header: "Partner · merchant", card: 4, aside: true },
    cell: ({ partner, settlement }) => (
      <span className="short">
        {partner.name} · {settlement.external_merchant_id}
      </span>
    ),
  },
  moneyColumn("source", "Source amount", ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 3.1 }),
  moneyColumn("net", "Net amount", ({ amounts, settlement }) => [amounts.net, settlement.destination_currency], { card: 3.2 }),
];

const DECIDED: readonly Column<Decided>[] = [
  {
    ...{ id: "verb", header: "Your decision", pinned: true, card: 1.1 },
    cell: ({ decision }) => VERBS[decision.action] ?? decision.action,
    inCard: ({ decision }) => <strong>{VERBS[decision.action]}</strong>,
  },
  { ...STATUS, header: "Stands now" },
  { id: "at", header: "When", cell: ({ decision }) => <Time at={decision.at} />, card: 1.2 },
  ...REST,
  { id: "reason", header: "Note or reason", cell: ({ decision }) => <span className="short">{decision.reason ?? "–"}</span> },
];
const LAPSED: readonly Column<Row>[] = [
  { ...STATUS, pinned: true },
  { id: "lapsed", header: "Lapsed", cell: ({ settlement }) => <Time at={settlement.expires_at} /> },
  ...REST,
  {
    id: "decided",
    header: "Approved",
    cell: ({ settlement }) => (settlement.approval_decided_at ? <Time at={settlement.approval_decided_at} /> : "–"),
  },
  { id: "callback", header: "Callback", cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} /> },
];

/** What the asker decided, the latest first, as it stands today. */
export function DecidedByMe() {
  const answer = useAnswer(useQuery(useTRPC().approvals.decided.queryOptions(undefined)));
  return (
    <Past
      of={answer}
      caption="Settlements that you decided, the latest first"
      columns={DECIDED}
      empty={<Empty title="Nothing decided yet">What you approve or reject is listed here.</Empty>}
    />
  );
}

/** Approved settlements that the partner did not confirm in time. */
export function LapsedAfterApproval() {
  const answer = useAnswer(useQuery(useTRPC().approvals.lapsed.queryOptions(undefined, { refetchInterval: 60_000 })));
  return (
    <Past
      of={answer}
      caption="Approved settlements that lapsed, the latest first"
      columns={LAPSED}
      empty={<Empty title="Nothing lapsed">Approved settlements whose partner let the new price run out are listed here.</Empty>}
    />
  );
}

type PastProps<Each> = { of: Answer<{ data: readonly Each[] }>; caption: string; columns: readonly Column<Each>[]; empty: ReactNode };

function Past<Each extends Row>({ of, caption, columns, empty }: PastProps<Each>) {
  return (
    <Answered of={of}>
      {({ data }) =>
        data.length === 0 ? empty : <Table caption={caption} columns={columns} rows={data} keyOf={({ settlement }) => settlement.tx_id} />
      }
    </Answered>
  );
}
