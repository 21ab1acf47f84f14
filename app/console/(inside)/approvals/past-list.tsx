import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallbackBadge, Id, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { type Answer, useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Answered, Empty } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import type { Decided, Row } from "./answers.ts";
import { PAST_LIST } from "./words.ts";

type Says = typeof PAST_LIST;

/** How a settlement stands, in both lists. */
const statusOf = (says: Says): Column<Row> => ({
  ...{ id: "status", header: says.status, card: 2.1 },
  cell: ({ settlement }) => <SettlementBadge settlement={settlement} />,
});
const restOf = (says: Says): readonly Column<Row>[] => [
  {
    ...{ id: "tx", header: says.settlement, card: 2.2 },
    cell: ({ settlement: { tx_id } }) => <Id value={tx_id} what={says.settlement2} href={`/console/settlements/${tx_id}`} copy={false} />,
  },
  {
    ...{ id: "who", header: says.partnerMerchant, card: 4, aside: true },
    cell: ({ partner, settlement }) => (
      <span className="short" translate="no">
        {partner.name} · {settlement.external_merchant_id}
      </span>
    ),
  },
  moneyColumn("source", says.sourceAmount, ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 3.1 }),
  moneyColumn("net", says.netAmount, ({ amounts, settlement }) => [amounts.net, settlement.destination_currency], { card: 3.2 }),
];

const decidedOf = (says: Says): readonly Column<Decided>[] => [
  {
    ...{ id: "verb", header: says.yourDecision, pinned: true, card: 1.1 },
    cell: ({ decision }) => says.verbs[decision.action] ?? decision.action,
    inCard: ({ decision }) => <strong>{says.verbs[decision.action]}</strong>,
  },
  { ...statusOf(says), header: says.standsNow },
  { id: "at", header: says.when, cell: ({ decision }) => <Time at={decision.at} />, card: 1.2 },
  ...restOf(says),
  {
    id: "reason",
    header: says.noteOrReason,
    cell: ({ decision }) => (
      <span className="short" translate="no">
        {decision.reason ?? "–"}
      </span>
    ),
  },
];
const lapsedOf = (says: Says): readonly Column<Row>[] => [
  { ...statusOf(says), pinned: true },
  { id: "lapsed", header: says.lapsed, cell: ({ settlement }) => <Time at={settlement.expires_at} /> },
  ...restOf(says),
  {
    id: "decided",
    header: says.approved,
    cell: ({ settlement }) => (settlement.approval_decided_at ? <Time at={settlement.approval_decided_at} /> : "–"),
  },
  { id: "callback", header: says.callback, cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} /> },
];

/** What the asker decided, the latest first, as it stands today. */
export function DecidedByMe() {
  const says = useWords(PAST_LIST);
  const answer = useAnswer(useQuery(useTRPC().approvals.decided.queryOptions(undefined)));
  return (
    <Past
      of={answer}
      caption={says.settlementsYouDecided}
      columns={decidedOf(says)}
      empty={<Empty title={says.nothingDecidedYet}>{says.whatYouApprove}</Empty>}
    />
  );
}

/** Approved settlements that the partner did not confirm in time. */
export function LapsedAfterApproval() {
  const says = useWords(PAST_LIST);
  const answer = useAnswer(useQuery(useTRPC().approvals.lapsed.queryOptions(undefined, { refetchInterval: 60_000 })));
  return (
    <Past
      of={answer}
      caption={says.approvedSettlementsLapsed}
      columns={lapsedOf(says)}
      empty={<Empty title={says.nothingLapsed}>{says.approvedSettlementsWhose}</Empty>}
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
