import type { Answers } from "#server/console/router.ts";
import { Id } from "../../_components/controls/id.tsx";
import { Money } from "../../_components/controls/money.tsx";
import { CallbackBadge, SettlementBadge } from "../../_components/controls/status-badge.tsx";
import { Time } from "../../_components/controls/time.tsx";
import type { Column } from "../../_components/lists/table.tsx";
import { None, Short } from "../../_components/lists/words.tsx";
import { SettlementLink } from "./settlement-link.tsx";

export type Row = Answers["settlements"]["rows"][number];

const status: Column<Row> = {
  id: "status",
  header: "Status",
  pinned: true,
  cell: ({ settlement }) => <SettlementBadge settlement={settlement} />,
};
const txId: Column<Row> = {
  id: "tx_id",
  header: "Settlement",
  cell: ({ settlement }) => <SettlementLink txId={settlement.tx_id} />,
};
const partner: Column<Row> = { id: "partner", header: "Partner", cell: ({ partner: { name } }) => name };
const rest: readonly Column<Row>[] = [
  { id: "merchant", header: "Merchant", cell: ({ settlement }) => <Short text={settlement.external_merchant_id} /> },
  { id: "external", header: "External id", cell: ({ settlement }) => <Short text={settlement.external_tx_id} /> },
  {
    id: "source",
    header: "Source",
    align: "end",
    cell: ({ settlement, amounts }) => <Money amount={amounts.source} currency={settlement.source_currency} />,
  },
  {
    id: "net",
    header: "Net",
    align: "end",
    cell: ({ settlement, amounts }) => <Money amount={amounts.net} currency={settlement.destination_currency} />,
  },
  { id: "chain", header: "Chain", cell: ({ settlement }) => settlement.chain },
  { id: "wallet", header: "Wallet", cell: ({ settlement }) => <Id value={settlement.wallet_address} what="wallet" /> },
  { id: "created", header: "Created", cell: ({ settlement }) => <Time at={settlement.created_at} /> },
  { id: "ended", header: "Expires or executed", cell: ({ settlement }) => <Ended settlement={settlement} /> },
  { id: "callback", header: "Callback", cell: ({ callbacks }) => <CallbackBadge callbacks={callbacks} /> },
];

export const HIDDEN_AT_FIRST = ["external", "chain", "wallet", "ended"];

export function columnsFor(isOperator: boolean): Column<Row>[] {
  return isOperator ? [status, txId, partner, ...rest] : [status, txId, ...rest];
}

function Ended({ settlement }: { settlement: Row["settlement"] }) {
  if (settlement.executed_at) return <Time at={settlement.executed_at} />;
  return settlement.status === "quoted" ? <Time at={settlement.expires_at} /> : <None />;
}

/** A row on a phone. */
export function Card({ row, isOperator }: { row: Row; isOperator: boolean }) {
  const { settlement, amounts } = row;
  return (
    <>
      <div className="card-line">
        <SettlementBadge settlement={settlement} />
        <Time at={settlement.created_at} />
      </div>
      <div className="card-line">
        <Money amount={amounts.net} currency={settlement.destination_currency} />
        <span className="muted">
          <Money amount={amounts.source} currency={settlement.source_currency} />
        </span>
      </div>
      <div className="card-line">
        <SettlementLink txId={settlement.tx_id} copy={false} />
        {isOperator && <span className="muted short">{row.partner.name}</span>}
      </div>
    </>
  );
}
