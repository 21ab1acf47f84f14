import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton, LinkButton } from "../../_components/controls/button.tsx";
import { CallbackBadge, Id, KeyValues, Money, SettlementBadge, Time } from "../../_components/controls/values.tsx";
import { ErrorState, NoMatch, Skeleton } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import { Data, Served, Trans, useTranslations } from "../../_words/words.ts";
import type { Row } from "./columns.tsx";
import { SettlementLink, usePageOf } from "./settlement-link.tsx";
import { PEEK } from "./words.ts";

type PeekProps = {
  txId: string;
  /** From the list; omitted if it is on another page of it. */
  row: Row | undefined;
  isOperator: boolean;
  onMove: (step: number) => void;
  onClose: () => void;
};

/** A summary of one settlement next to the list, which stays usable. */
export function Peek({ txId, row, isOperator, onMove, onClose }: PeekProps) {
  const t = useTranslations(PEEK);
  const pageOf = usePageOf();
  return (
    <section className="peek" aria-label={t.label}>
      <header className="peek-header">
        <h2>
          <SettlementLink txId={txId} />
        </h2>
        <span>
          <IconButton label={t.previousRow} icon={ChevronUp} aria-keyshortcuts="k" onClick={() => onMove(-1)} />
          <IconButton label={t.nextRow} icon={ChevronDown} aria-keyshortcuts="j" onClick={() => onMove(1)} />
          <IconButton label={t.close} icon={X} aria-keyshortcuts="Escape" onClick={onClose} />
        </span>
      </header>
      <div className="peek-body">
        {row ? <Essence row={row} isOperator={isOperator} /> : <Elsewhere txId={txId} isOperator={isOperator} />}
      </div>
      <footer className="peek-footer">
        <LinkButton href={pageOf(txId)}>{t.openPage}</LinkButton>
      </footer>
    </section>
  );
}

function Elsewhere({ txId, isOperator }: { txId: string; isOperator: boolean }) {
  const t = useTranslations(PEEK);
  const trpc = useTRPC();
  const found = useQuery(trpc.settlements.rows.queryOptions({ tx_ids: [txId] }));
  useLiveChanges(
    ({ object_id }) => object_id === txId,
    () => void found.refetch(),
  );
  const [row] = found.data ?? [];
  if (row) return <Essence row={row} isOperator={isOperator} />;
  if (found.data) return <NoMatch>{t.notFound}</NoMatch>;
  return found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} compact /> : <Skeleton rows={6} />;
}

function Essence({ row, isOperator }: { row: Row; isOperator: boolean }) {
  const t = useTranslations(PEEK);
  const { settlement, amounts, partner, callbacks } = row;
  const { destination_currency: destination } = settlement;
  return (
    <>
      <SettlementBadge settlement={settlement} />
      <p className="peek-amount">
        <Money amount={amounts.net} currency={destination} size="large" />
        <span className="muted">
          <Trans sentence={t.forAmount} amount={<Money amount={amounts.source} currency={settlement.source_currency} />} />
        </span>
      </p>
      <KeyValues
        items={[
          { key: t.gross, value: <Money amount={amounts.gross} currency={destination} /> },
          { key: t.platformFee, value: <Money amount={amounts.fee} currency={destination} /> },
          isOperator && { key: t.partner, value: <Data>{partner.name}</Data> },
          {
            key: t.merchant,
            value: (
              <span className="anywhere" translate="no">
                {settlement.external_merchant_id}
              </span>
            ),
          },
          known(t.externalId, settlement.external_tx_id, (text) => (
            <span className="anywhere" translate="no">
              {text}
            </span>
          )),
          { key: t.wallet, value: <Id value={settlement.wallet_address} what={t.walletNoun} /> },
          { key: t.chain, value: <Data>{settlement.chain}</Data> },
          known(t.transaction, settlement.tx_hash, (hash) => <Id value={hash} what={t.transactionHash} />),
          { key: t.created, value: <Time at={settlement.created_at} form="absolute" /> },
          settlement.status === "quoted" && { key: t.quoteExpires, value: <Time at={settlement.expires_at} form="absolute" /> },
          known(t.executed, settlement.executed_at, (at) => <Time at={at} form="absolute" />),
          known(t.failure, settlement.failure_reason, (text) => <Served>{text}</Served>),
          known(t.rejectionReason, settlement.rejection_reason, (text) => <Data>{text}</Data>),
          { key: t.callbacks, value: <CallbackBadge callbacks={callbacks} /> },
        ]}
      />
    </>
  );
}

function known(key: string, value: string | null | undefined, show: (value: string) => ReactNode) {
  return value ? { key, value: show(value) } : null;
}
