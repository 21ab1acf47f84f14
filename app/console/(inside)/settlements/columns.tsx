import type { Answers } from "#server/console/router.ts";
import { CallbackBadge, Id, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { type Column, moneyColumn, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import { Data } from "../../_words/told.tsx";
import { SettlementLink } from "./settlement-link.tsx";
import type { COLUMNS } from "./words.ts";

type Says = typeof COLUMNS;

export type Row = Answers["settlements"]["rows"][number];

const firstOf = (says: Says): readonly Column<Row>[] => [
  {
    ...{ id: "status", header: says.status, pinned: true, card: 1.1 },
    cell: ({ settlement }) => <SettlementBadge settlement={settlement} />,
  },
  {
    ...{ id: "tx_id", header: says.settlement, card: 3.1 },
    cell: ({ settlement }) => <SettlementLink txId={settlement.tx_id} />,
    inCard: ({ settlement }) => <SettlementLink txId={settlement.tx_id} copy={false} />,
  },
];
const restOf = (says: Says): readonly Column<Row>[] => [
  {
    ...{ id: "merchant", header: says.merchant, card: 4.1, aside: true },
    cell: ({ settlement }) => <Short text={settlement.external_merchant_id} />,
  },
  { id: "external", header: says.externalId, cell: ({ settlement }) => <Short text={settlement.external_tx_id} /> },
  moneyColumn("source", says.source, ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 2.2, aside: true }),
  moneyColumn("net", says.net, ({ amounts, settlement }) => [amounts.net, settlement.destination_currency], { card: 2.1 }),
  { id: "chain", header: says.chain, cell: ({ settlement }) => <Data>{settlement.chain}</Data> },
  { id: "wallet", header: says.wallet, cell: ({ settlement }) => <Id value={settlement.wallet_address} what={says.wallet2} /> },
  { id: "created", header: says.created, cell: ({ settlement }) => <Time at={settlement.created_at} />, card: 1.2 },
  { id: "ended", header: says.expiresOrExecuted, cell: ended },
  { id: "callback", header: says.callback, cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} /> },
];

export const HIDDEN_AT_FIRST = ["external", "chain", "wallet", "ended"];

export function columnsFor(isOperator: boolean, says: Says): Column<Row>[] {
  return [...firstOf(says), ...partnerColumn<Row>(isOperator, 3.2, says), ...restOf(says)];
}

function ended({ settlement }: Row) {
  if (settlement.executed_at) return <Time at={settlement.executed_at} />;
  return settlement.status === "quoted" ? <Time at={settlement.expires_at} /> : <None />;
}
