import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QrCode } from "../../../_components/controls/qr-code.tsx";
import { Time } from "../../../_components/controls/values.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Told } from "../../../_words/told.tsx";
import { useWords } from "../../../_words/words.ts";
import { RECEIPT } from "./payment-words.ts";
import type { Story } from "./story.ts";

/**
 * What the page prints: everything that identifies the settlement and its payment, in full, without the console around it. It needs no
 * colour and no screen: each fact is a line of text.
 */
export function Receipt({ story }: { story: Story }) {
  const says = useWords(RECEIPT);
  const trpc = useTRPC();
  const { settlement, partner, amounts, payment, api } = story;
  const isPaid = payment?.tx_hash !== null && payment?.tx_hash !== undefined;
  const { data: onChain } = useQuery(
    trpc.settlements.paymentReceipt.queryOptions({ tx_id: settlement.tx_id }, { enabled: settlement.status === "executed" && isPaid }),
  );
  const blockNumber = onChain?.block_number ?? payment?.block_number ?? null;
  const unit = settlement.destination_currency;
  return (
    <article className="receipt" aria-label={says.receipt}>
      <header>
        <p className="receipt-title">{settlement.status === "executed" ? says.receipt : says.statementSettlement}</p>
        <p>{says.issuedBy(api.brand, api.base_url)}</p>
        <p>
          <Told sentence={says.printed} time={<Time at={story.now} form="absolute" />} />
        </p>
      </header>
      <Part title={says.settlement}>
        <Line name={says.settlement} value={settlement.tx_id} />
        <Line name={says.state} value={says.stateWords[settlement.status] ?? settlement.status} isWord />
        <Line name={says.partner} value={`${partner.name} (${partner.id})`} />
        <Line name={says.merchant} value={settlement.external_merchant_id} />
        {settlement.external_tx_id && <Line name={says.partnersReference} value={settlement.external_tx_id} />}
        <Line name={says.created} value={<Time at={settlement.created_at} form="absolute" />} />
        {payment?.executed_at && <Line name={says.executed} value={<Time at={payment.executed_at} form="absolute" />} />}
        {settlement.failure_reason && <Line name={says.reason} value={settlement.failure_reason} />}
      </Part>
      <Part title={says.amounts}>
        <Line name={says.received} value={`${amounts.source} ${settlement.source_currency}`} />
        <Line name={says.rate} value={says.per(settlement.exchange_rate, unit, settlement.source_currency)} />
        <Line name={says.gross} value={`${amounts.gross} ${unit}`} />
        <Line name={says.platformFee} value={`${amounts.fee} ${unit}`} />
        <Line name={says.paidWallet} value={`${amounts.net} ${unit}`} />
        {onChain?.network_fee && (
          <Line name={says.networkFeeBorne} value={`${onChain.network_fee.amount} ${onChain.network_fee.currency}`} />
        )}
      </Part>
      <Part title={says.payment}>
        <Line name={says.chain} value={settlement.chain} />
        {payment?.from && <Line name={says.from} value={payment.from} />}
        <Line name={says.to} value={settlement.wallet_address} />
        {payment && isPaid && (
          <>
            <Line name={says.transaction} value={payment.tx_hash} />
            <Line name={says.block} value={blockNumber ?? says.notBlock} isWord={blockNumber === null} />
            {onChain && <Line name={says.blockHash} value={onChain.block_hash} />}
            {onChain && <Line name={says.logIndex} value={onChain.log_index ?? says.noneChainsOwn} isWord={onChain.log_index === null} />}
            {settlement.status === "executed" && !onChain && <Line name={says.logIndex} value={says.chainCouldNot} isWord />}
            {payment.explorer_url && <Line name={says.seen} value={payment.explorer_url} />}
          </>
        )}
        {!isPaid && <Line name={says.transaction} value={says.none} isWord />}
      </Part>
      {onChain?.verify_url && (
        <Part title={says.proof}>
          <Line name={says.signedAnybodyCan} value={<a href={onChain.verify_url}>{onChain.verify_url.split("#")[0]}</a>} />
          <QrCode text={onChain.verify_url} label={says.signedReceiptAs} />
        </Part>
      )}
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <p className="receipt-part">{title}</p>
      <dl>{children}</dl>
    </section>
  );
}

/** `isWord`: what is told is said in words of ours. */
function Line({ name, value, isWord = false }: { name: string; value: ReactNode; isWord?: boolean }) {
  return (
    <div className="receipt-line">
      <dt>{name}</dt>
      <dd {...(!isWord && { translate: "no" })}>{value}</dd>
    </div>
  );
}
