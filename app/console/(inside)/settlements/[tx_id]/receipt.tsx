import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QrCode } from "../../../_components/controls/qr-code.tsx";
import { Time } from "../../../_components/controls/values.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../../_words/words.ts";
import { RECEIPT } from "./payment-words.ts";
import type { Story } from "./story.ts";

/**
 * The printed page: everything that identifies the settlement and its payment, in full, without the console's frame. It needs no colour:
 * each fact is a line of text.
 */
export function Receipt({ story }: { story: Story }) {
  const t = useTranslations(RECEIPT);
  const trpc = useTRPC();
  const { settlement, partner, amounts, payment, api } = story;
  const isPaid = payment?.tx_hash !== null && payment?.tx_hash !== undefined;
  const { data: onChain } = useQuery(
    trpc.settlements.paymentReceipt.queryOptions({ tx_id: settlement.tx_id }, { enabled: settlement.status === "executed" && isPaid }),
  );
  const blockNumber = onChain?.block_number ?? payment?.block_number ?? null;
  const unit = settlement.destination_currency;
  return (
    <article className="receipt" aria-label={t.receipt}>
      <header>
        <p className="receipt-title">{settlement.status === "executed" ? t.receipt : t.subtitle}</p>
        <p>{t.issuedBy(api.brand, api.base_url)}</p>
        <p>
          <Trans sentence={t.printed} time={<Time at={story.now} form="absolute" />} />
        </p>
      </header>
      <Part title={t.settlement}>
        <Line name={t.settlement} value={settlement.tx_id} />
        <Line name={t.state} value={t.states[settlement.status] ?? settlement.status} isWord />
        <Line name={t.partner} value={`${partner.name} (${partner.id})`} />
        <Line name={t.merchant} value={settlement.external_merchant_id} />
        {settlement.external_tx_id && <Line name={t.externalId} value={settlement.external_tx_id} />}
        <Line name={t.created} value={<Time at={settlement.created_at} form="absolute" />} />
        {payment?.executed_at && <Line name={t.executed} value={<Time at={payment.executed_at} form="absolute" />} />}
        {settlement.failure_reason && <Line name={t.reason} value={settlement.failure_reason} />}
      </Part>
      <Part title={t.amounts}>
        <Line name={t.received} value={t.format.written(amounts.source, settlement.source_currency)} />
        <Line name={t.rate} value={t.per(settlement.exchange_rate, unit, settlement.source_currency)} />
        <Line name={t.gross} value={t.format.written(amounts.gross, unit)} />
        <Line name={t.platformFee} value={t.format.written(amounts.fee, unit)} />
        <Line name={t.paidToWallet} value={t.format.written(amounts.net, unit)} />
        {onChain?.network_fee && (
          <Line name={t.networkFee} value={t.format.written(onChain.network_fee.amount, onChain.network_fee.currency)} />
        )}
      </Part>
      <Part title={t.payment}>
        <Line name={t.chain} value={settlement.chain} />
        {payment?.from && <Line name={t.from} value={payment.from} />}
        <Line name={t.to} value={settlement.wallet_address} />
        {payment && isPaid && (
          <>
            <Line name={t.transaction} value={payment.tx_hash} />
            <Line name={t.block} value={blockNumber ?? t.notInBlock} isWord={blockNumber === null} />
            {onChain && <Line name={t.blockHash} value={onChain.block_hash} />}
            {onChain && <Line name={t.logIndex} value={onChain.log_index ?? t.nativeCoin} isWord={onChain.log_index === null} />}
            {settlement.status === "executed" && !onChain && <Line name={t.logIndex} value={t.chainSilent} isWord />}
            {payment.explorer_url && <Line name={t.viewAt} value={payment.explorer_url} />}
          </>
        )}
        {!isPaid && <Line name={t.transaction} value={t.noneNoun} isWord />}
      </Part>
      {onChain?.verify_url && (
        <Part title={t.proof}>
          <Line name={t.signedVerifyAt} value={<a href={onChain.verify_url}>{onChain.verify_url.split("#")[0]}</a>} />
          <QrCode text={onChain.verify_url} label={t.proofQr} />
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

/** `isWord`: the value is a translated text. */
function Line({ name, value, isWord = false }: { name: string; value: ReactNode; isWord?: boolean }) {
  return (
    <div className="receipt-line">
      <dt>{name}</dt>
      <dd {...(!isWord && { translate: "no" })}>{value}</dd>
    </div>
  );
}
