import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton, LinkButton } from "../../_components/controls/button.tsx";
import { CallbackBadge, Id, KeyValues, Money, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { NoMatch, Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import type { Row } from "./columns.tsx";
import { SettlementLink, usePageOf } from "./settlement-link.tsx";

type PeekProps = {
  txId: string;
  /** As the list has it; left out: it is on another page of it. */
  row: Row | undefined;
  isOperator: boolean;
  onMove: (step: number) => void;
  onClose: () => void;
};

/** One settlement's essence beside the list, which goes on as before. */
export function Peek({ txId, row, isOperator, onMove, onClose }: PeekProps) {
  const pageOf = usePageOf();
  return (
    <section className="peek" aria-label="Settlement beside the list">
      <header className="peek-header">
        <h2>
          <SettlementLink txId={txId} />
        </h2>
        <span>
          <IconButton label="Row before" icon={ChevronUp} aria-keyshortcuts="k" onClick={() => onMove(-1)} />
          <IconButton label="Next row" icon={ChevronDown} aria-keyshortcuts="j" onClick={() => onMove(1)} />
          <IconButton label="Close the side panel" icon={X} aria-keyshortcuts="Escape" onClick={onClose} />
        </span>
      </header>
      <div className="peek-body">
        {row ? <Essence row={row} isOperator={isOperator} /> : <Elsewhere txId={txId} isOperator={isOperator} />}
      </div>
      <footer className="peek-footer">
        <LinkButton href={pageOf(txId)}>Open the whole page</LinkButton>
      </footer>
    </section>
  );
}

function Elsewhere({ txId, isOperator }: { txId: string; isOperator: boolean }) {
  const trpc = useTRPC();
  const found = useQuery(trpc.settlements.rows.queryOptions({ tx_ids: [txId] }));
  useLiveChanges(
    ({ object_id }) => object_id === txId,
    () => void found.refetch(),
  );
  const [row] = found.data ?? [];
  if (row) return <Essence row={row} isOperator={isOperator} />;
  if (found.data) return <NoMatch>There is no such settlement.</NoMatch>;
  return found.error ? <Trouble error={found.error} onRetry={() => void found.refetch()} compact /> : <Skeleton rows={6} />;
}

function Essence({ row, isOperator }: { row: Row; isOperator: boolean }) {
  const { settlement, amounts, partner, callbacks } = row;
  const { destination_currency: destination } = settlement;
  return (
    <>
      <SettlementBadge settlement={settlement} />
      <p className="peek-amount">
        <Money amount={amounts.net} currency={destination} size="large" />
        <span className="muted">
          for <Money amount={amounts.source} currency={settlement.source_currency} />
        </span>
      </p>
      <KeyValues
        items={[
          { key: "Gross", value: <Money amount={amounts.gross} currency={destination} /> },
          { key: "Platform fee", value: <Money amount={amounts.fee} currency={destination} /> },
          isOperator && { key: "Partner", value: partner.name },
          { key: "Merchant", value: <span className="anywhere">{settlement.external_merchant_id}</span> },
          known("External id", settlement.external_tx_id, (text) => <span className="anywhere">{text}</span>),
          { key: "Wallet", value: <Id value={settlement.wallet_address} what="wallet" /> },
          { key: "Chain", value: settlement.chain },
          known("Transaction", settlement.tx_hash, (hash) => <Id value={hash} what="transaction hash" />),
          { key: "Created", value: <Time at={settlement.created_at} form="absolute" /> },
          settlement.status === "quoted" && { key: "Quote expires", value: <Time at={settlement.expires_at} form="absolute" /> },
          known("Executed", settlement.executed_at, (at) => <Time at={at} form="absolute" />),
          known("Failure", settlement.failure_reason, (text) => text),
          known("Rejected because", settlement.rejection_reason, (text) => text),
          { key: "Callbacks", value: <CallbackBadge callbacks={callbacks} /> },
        ]}
      />
    </>
  );
}

function known(key: string, value: string | null | undefined, show: (value: string) => ReactNode) {
  return value ? { key, value: show(value) } : null;
}
