import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallbackBadge, Id, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { type Answer, useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Empty, QueryBoundary } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import type { Decided, Row } from "./answers.ts";
import { PAST_LIST } from "./words.ts";

type Translations = WithShared<typeof PAST_LIST>;

/** A settlement's status, in both lists. */
const statusOf = (t: Translations): Column<Row> => ({
  id: "status",
  header: t.status,
  card: 2.1,
  cell: ({ settlement }) => <SettlementBadge settlement={settlement} />,
});
const restOf = (t: Translations): readonly Column<Row>[] => [
  {
    id: "tx",
    header: t.settlement,
    card: 2.2,
    cell: ({ settlement: { tx_id } }) => <Id value={tx_id} what={t.settlementNoun} href={`/console/settlements/${tx_id}`} copy={false} />,
  },
  {
    id: "who",
    header: t.partnerMerchant,
    card: 4,
    aside: true,
    cell: ({ partner, settlement }) => (
      <span className="short" translate="no">
        {partner.name} · {settlement.external_merchant_id}
      </span>
    ),
  },
  moneyColumn("source", t.sourceAmount, ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 3.1 }),
  moneyColumn("net", t.netAmount, ({ amounts, settlement }) => [amounts.net, settlement.destination_currency], { card: 3.2 }),
];

const decidedOf = (t: Translations): readonly Column<Decided>[] => [
  {
    id: "verb",
    header: t.yourDecision,
    pinned: true,
    card: 1.1,
    cell: ({ decision }) => t.verbs[decision.action] ?? decision.action,
    inCard: ({ decision }) => <strong>{t.verbs[decision.action]}</strong>,
  },
  { ...statusOf(t), header: t.statusNow },
  { id: "at", header: t.when, cell: ({ decision }) => <Time at={decision.at} />, card: 1.2 },
  ...restOf(t),
  {
    id: "reason",
    header: t.noteOrReason,
    cell: ({ decision }) => (
      <span className="short" translate="no">
        {decision.reason ?? "–"}
      </span>
    ),
  },
];
const lapsedOf = (t: Translations): readonly Column<Row>[] => [
  { ...statusOf(t), pinned: true },
  { id: "lapsed", header: t.lapsed, cell: ({ settlement }) => <Time at={settlement.expires_at} /> },
  ...restOf(t),
  {
    id: "decided",
    header: t.approved,
    cell: ({ settlement }) => (settlement.approval_decided_at ? <Time at={settlement.approval_decided_at} /> : "–"),
  },
  { id: "callback", header: t.callback, cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} /> },
];

/** The user's own decisions, newest first, with the present state of each settlement. */
export function DecidedByMe() {
  const t = useTranslations(PAST_LIST);
  const answer = useAnswer(useQuery(useTRPC().approvals.decided.queryOptions(undefined)));
  return (
    <Past of={answer} caption={t.decidedCaption} columns={decidedOf(t)} empty={<Empty title={t.noneDecided}>{t.noneDecidedMore}</Empty>} />
  );
}

/** Approved settlements that the partner did not confirm in time. */
export function LapsedAfterApproval() {
  const t = useTranslations(PAST_LIST);
  const answer = useAnswer(useQuery(useTRPC().approvals.lapsed.queryOptions(undefined, { refetchInterval: 60_000 })));
  return (
    <Past of={answer} caption={t.lapsedCaption} columns={lapsedOf(t)} empty={<Empty title={t.noneLapsed}>{t.noneLapsedMore}</Empty>} />
  );
}

type PastProps<Each> = { of: Answer<{ data: readonly Each[] }>; caption: string; columns: readonly Column<Each>[]; empty: ReactNode };

function Past<Each extends Row>({ of, caption, columns, empty }: PastProps<Each>) {
  return (
    <QueryBoundary of={of}>
      {({ data }) =>
        data.length === 0 ? empty : <Table caption={caption} columns={columns} rows={data} keyOf={({ settlement }) => settlement.tx_id} />
      }
    </QueryBoundary>
  );
}
