import { Countdown } from "../../../_components/controls/countdown.tsx";
import { Id, KeyValues, Time, useSettlementView } from "../../../_components/controls/values.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { Data, Served, Trans, useTranslations } from "../../../_words/words.ts";
import type { Story } from "./story.ts";
import { FACTS } from "./words.ts";

/** The settlement's facts: partner, merchant and wallet until it is paid, then the rest. */
export function Facts({ story, isOperator }: { story: Story; isOperator: boolean }) {
  const t = useTranslations(FACTS);
  const { settlement, partner, payment } = story;
  // The outcome above has them.
  const isPaid = settlement.status === "executed";
  const isCapped = payment !== null && payment.signer_cap !== null;
  return (
    <>
      {settlement.failure_reason && (
        <Note kind="danger">
          <Served>{settlement.failure_reason}</Served>
        </Note>
      )}
      {settlement.rejection_reason && (
        <Note kind="danger">
          <Trans sentence={t.rejected} reason={<Data>{settlement.rejection_reason}</Data>} />
        </Note>
      )}
      {settlement.waiting_reason && settlement.waiting_since && (
        <Note kind="warning">
          {t.waits[isCapped ? "signer_cap" : settlement.waiting_reason]}{" "}
          <Trans sentence={t.since} time={<Time at={settlement.waiting_since} form="absolute" />} />
        </Note>
      )}
      <KeyValues
        items={[
          isOperator && !isPaid && { key: t.partner, value: <Data>{partner.name}</Data> },
          !isPaid && { key: t.merchant, value: <Data>{settlement.external_merchant_id}</Data> },
          !isPaid && { key: t.wallet, value: <Id value={settlement.wallet_address} what={t.walletNoun} full /> },
          {
            key: t.externalId,
            value: settlement.external_tx_id ? <Data>{settlement.external_tx_id}</Data> : <span className="none">{t.notConfirmedYet}</span>,
          },
          { key: t.chain, value: <Data>{settlement.chain}</Data> },
          { key: t.created, value: <Time at={settlement.created_at} form="absolute" /> },
          { key: t.quote, value: <Validity story={story} /> },
          story.trace_id !== null && { key: t.trace, value: <Id value={story.trace_id} what={t.traceId} full /> },
        ]}
      />
    </>
  );
}

/** Always two lines, so that nothing below moves when the quote expires. */
function Validity({ story: { settlement, quotes } }: { story: Story }) {
  const t = useTranslations(FACTS);
  const view = useSettlementView(settlement);
  const { expires_at: expiresAt } = settlement;
  const from = quotes.at(-1)?.priced_at ?? settlement.created_at;
  switch (view) {
    case "quoted":
    case "approved":
      return (
        <Lines second={view === "approved" ? t.partnerConfirmsUntil : t.confirmedUntil}>
          <Countdown to={expiresAt} from={from} label={t.quoteValid} />
        </Lines>
      );
    case "lapsed":
      return (
        <Lines second={<Lapsed />}>
          <span className="lapsed-word">{t.quoteLapsed}</span> <Time at={expiresAt} form="absolute" />
        </Lines>
      );
    case "awaiting_approval":
      return <OriginalQuote expiresAt={expiresAt} />;
    default:
      return <Trans sentence={t.wasValidUntil} time={<Time at={expiresAt} form="absolute" />} />;
  }
}

function Lapsed() {
  const t = useTranslations(FACTS);
  return (
    <Trans
      sentence={t.confirmingReturns}
      refusal={
        <a href="/docs/errors/quote_expired">
          <code>410 quote_expired</code>
        </a>
      }
    />
  );
}

/** A quote that waits for approval may expire meanwhile: approving sets a new price in any case. */
function OriginalQuote({ expiresAt }: { expiresAt: string }) {
  const t = useTranslations(FACTS);
  const lapsed = useSettlementView({ status: "quoted", approval_state: null, expires_at: expiresAt }) === "lapsed";
  return (
    <Lines second={lapsed ? t.reprices : t.repricesAnyTime}>
      {lapsed ? t.originalQuoteLapsed : t.originalQuoteUntil} <Time at={expiresAt} form="absolute" />
    </Lines>
  );
}

function Lines({ children, second }: { children: React.ReactNode; second: React.ReactNode }) {
  return (
    <>
      <span className="validity-line">{children}</span>
      <span className="validity-line muted">{second}</span>
    </>
  );
}
