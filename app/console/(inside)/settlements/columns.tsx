import type { Answers } from "#server/console/router.ts";
import { CallbackBadge, Id, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { type Column, moneyColumn, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import { SettlementLink } from "./settlement-link.tsx";

export type Row = Answers["settlements"]["rows"][number];

const first: readonly Column<Row>[] = [
  {
    ...{ id: "status", header: "Status", pinned: true, card: 1.1 },
    cell: ({ settlement }) => <SettlementBadge settlement={settlement} />,
  },
  {
    ...{ id: "tx_id", header: "Settlement", card: 3.1 },
    cell: ({ settlement }) => <SettlementLink txId={settlement.tx_id} />,
    inCard: ({ settlement }) => <SettlementLink txId={settlement.tx_id} copy={false} />,
  },
];
const rest: readonly Column<Row>[] = [
  { id: "merchant", header: "Merchant", cell: ({ settlement }) => <Short text={settlement.external_merchant_id} /> },
  { id: "external", header: "External id", cell: ({ settlement }) => <Short text={settlement.external_tx_id} /> },
  moneyColumn("source", "Source", ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 2.2, aside: true }),
  moneyColumn("net", "Net", ({ amounts, settlement }) => [amounts.net, settlement.destination_currency], { card: 2.1 }),
  { id: "chain", header: "Chain", cell: ({ settlement }) => settlement.chain },
  { id: "wallet", header: "Wallet", cell: ({ settlement }) => <Id value={settlement.wallet_address} what="wallet" /> },
  { id: "created", header: "Created", cell: ({ settlement }) => <Time at={settlement.created_at} />, card: 1.2 },
  { id: "ended", header: "Expires or executed", cell: ended },
  { id: "callback", header: "Callback", cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} /> },
];

export const HIDDEN_AT_FIRST = ["external", "chain", "wallet", "ended"];

export function columnsFor(isOperator: boolean): Column<Row>[] {
  return [...first, ...partnerColumn<Row>(isOperator, 3.2), ...rest];
}

function ended({ settlement }: Row) {
  if (settlement.executed_at) return <Time at={settlement.executed_at} />;
  return settlement.status === "quoted" ? <Time at={settlement.expires_at} /> : <None />;
}
