import type { Answers } from "#server/console/router.ts";
import { CallbackBadge, Id, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { type Column, moneyColumn, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import type { WithShared } from "../../_words/shared.ts";
import { Data } from "../../_words/words.ts";
import { SettlementLink } from "./settlement-link.tsx";
import type { COLUMNS } from "./words.ts";

type Translations = WithShared<typeof COLUMNS>;

export type Row = Answers["settlements"]["rows"][number];

const firstOf = (t: Translations): readonly Column<Row>[] => [
  {
    id: "status",
    header: t.status,
    pinned: true,
    card: 1.1,
    cell: ({ settlement }) => <SettlementBadge settlement={settlement} />,
  },
  {
    id: "tx_id",
    header: t.settlement,
    card: 4.1,
    cell: ({ settlement }) => <SettlementLink txId={settlement.tx_id} />,
    inCard: ({ settlement }) => <SettlementLink txId={settlement.tx_id} copy={false} />,
  },
];
const restOf = (t: Translations): readonly Column<Row>[] => [
  {
    id: "merchant",
    header: t.merchant,
    card: 3.2,
    aside: true,
    cell: ({ settlement }) => <Short text={settlement.external_merchant_id} />,
  },
  { id: "external", header: t.externalId, cell: ({ settlement }) => <Short text={settlement.external_tx_id} /> },
  moneyColumn("source", t.source, ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 2.1, aside: true }),
  moneyColumn("net", t.net, ({ amounts, settlement }) => [amounts.net, settlement.destination_currency], { card: 2.2 }),
  { id: "chain", header: t.chain, cell: ({ settlement }) => <Data>{settlement.chain}</Data> },
  { id: "wallet", header: t.wallet, cell: ({ settlement }) => <Id value={settlement.wallet_address} what={t.walletNoun} /> },
  { id: "created", header: t.created, cell: ({ settlement }) => <Time at={settlement.created_at} />, card: 1.2 },
  { id: "ended", header: t.expiresOrExecuted, cell: ended },
  { id: "callback", header: t.callback, cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} />, card: 4.2 },
];

export const HIDDEN_AT_FIRST = ["external", "chain", "wallet", "ended"];

export function columnsFor(isOperator: boolean, t: Translations): Column<Row>[] {
  return [...firstOf(t), ...partnerColumn<Row>(isOperator, 3.1, t), ...restOf(t)];
}

function ended({ settlement }: Row) {
  if (settlement.executed_at) return <Time at={settlement.executed_at} />;
  return settlement.status === "quoted" ? <Time at={settlement.expires_at} /> : <None />;
}
