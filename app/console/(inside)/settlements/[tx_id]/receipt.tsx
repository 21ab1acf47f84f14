import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QrCode } from "../../../_components/controls/qr-code.tsx";
import { Time } from "../../../_components/controls/values.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import type { Story } from "./story.ts";

const STATE_WORDS: Record<string, string> = {
  quoted: "Quoted, not paid",
  processing: "Being paid, not final",
  executed: "Executed: paid and final",
  failed: "Failed: not paid",
  cancelled: "Cancelled: not paid",
};

/**
 * What the page prints: everything that identifies the settlement and its payment, in full, without the console around it. It needs no
 * colour and no screen: each fact is a line of text.
 */
export function Receipt({ story }: { story: Story }) {
  const trpc = useTRPC();
  const { settlement, partner, amounts, payment, api } = story;
  const isPaid = payment?.tx_hash !== null && payment?.tx_hash !== undefined;
  const { data: onChain } = useQuery(
    trpc.settlements.paymentReceipt.queryOptions({ tx_id: settlement.tx_id }, { enabled: settlement.status === "executed" && isPaid }),
  );
  const unit = settlement.destination_currency;
  return (
    <article className="receipt" aria-label="Receipt">
      <header>
        <p className="receipt-title">{settlement.status === "executed" ? "Receipt" : "Statement of a settlement"}</p>
        <p>
          Issued by {api.brand}, {api.base_url}
        </p>
        <p>
          Printed <Time at={story.now} form="absolute" />
        </p>
      </header>
      <Part title="Settlement">
        <Line name="Settlement" value={settlement.tx_id} />
        <Line name="State" value={STATE_WORDS[settlement.status] ?? settlement.status} />
        <Line name="Partner" value={`${partner.name} (${partner.id})`} />
        <Line name="Merchant" value={settlement.external_merchant_id} />
        {settlement.external_tx_id && <Line name="Partner's reference" value={settlement.external_tx_id} />}
        <Line name="Created" value={<Time at={settlement.created_at} form="absolute" />} />
        {payment?.executed_at && <Line name="Executed" value={<Time at={payment.executed_at} form="absolute" />} />}
        {settlement.failure_reason && <Line name="Reason" value={settlement.failure_reason} />}
      </Part>
      <Part title="Amounts">
        <Line name="Received" value={`${amounts.source} ${settlement.source_currency}`} />
        <Line name="Rate" value={`${settlement.exchange_rate} ${unit} per ${settlement.source_currency}`} />
        <Line name="Gross" value={`${amounts.gross} ${unit}`} />
        <Line name="Platform fee" value={`${amounts.fee} ${unit}`} />
        <Line name="Paid to the wallet" value={`${amounts.net} ${unit}`} />
        {onChain?.network_fee && (
          <Line name="Network fee, borne by the issuer" value={`${onChain.network_fee.amount} ${onChain.network_fee.currency}`} />
        )}
      </Part>
      <Part title="Payment">
        <Line name="Chain" value={settlement.chain} />
        {payment?.from && <Line name="From" value={payment.from} />}
        <Line name="To" value={settlement.wallet_address} />
        {payment && isPaid && (
          <>
            <Line name="Transaction" value={payment.tx_hash} />
            <Line name="Block" value={`${onChain?.block_number ?? payment.block_number ?? "not in a block"}`} />
            {onChain && <Line name="Block hash" value={onChain.block_hash} />}
            {onChain && (
              <Line name="Log index" value={onChain.log_index === null ? "none: the chain's own coin" : `${onChain.log_index}`} />
            )}
            {settlement.status === "executed" && !onChain && <Line name="Log index" value="the chain could not be asked just now" />}
            {payment.explorer_url && <Line name="To be seen at" value={payment.explorer_url} />}
          </>
        )}
        {!isPaid && <Line name="Transaction" value="none" />}
      </Part>
      {onChain?.verify_url && (
        <Part title="Proof">
          <Line name="Signed; anybody can check it at" value={<a href={onChain.verify_url}>{onChain.verify_url.split("#")[0]}</a>} />
          <QrCode text={onChain.verify_url} label="The signed receipt, as a link to where it is checked" />
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

function Line({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="receipt-line">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
