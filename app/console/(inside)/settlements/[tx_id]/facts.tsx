import { Countdown } from "../../../_components/controls/countdown.tsx";
import { Id, KeyValues, Time, useSettlementView } from "../../../_components/controls/values.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { Served } from "../../../_words/served.tsx";
import { Data, Told } from "../../../_words/told.tsx";
import { useWords } from "../../../_words/words.ts";
import type { Story } from "./story.ts";
import { FACTS } from "./words.ts";

/** What it is about: whose, for whom, to where, until when. */
export function Facts({ story, isOperator }: { story: Story; isOperator: boolean }) {
  const says = useWords(FACTS);
  const { settlement, partner } = story;
  return (
    <>
      {settlement.failure_reason && (
        <Note kind="danger">
          <Served>{settlement.failure_reason}</Served>
        </Note>
      )}
      {settlement.rejection_reason && (
        <Note kind="danger">
          <Told sentence={says.rejected} reason={<Data>{settlement.rejection_reason}</Data>} />
        </Note>
      )}
      {settlement.waiting_reason && settlement.waiting_since && (
        <Note kind="warning">
          {says.waits[settlement.waiting_reason]}{" "}
          <Told sentence={says.since} time={<Time at={settlement.waiting_since} form="absolute" />} />
        </Note>
      )}
      <KeyValues
        items={[
          isOperator && { key: says.partner, value: <Data>{partner.name}</Data> },
          { key: says.merchant, value: <Data>{settlement.external_merchant_id}</Data> },
          {
            key: says.externalId,
            value: settlement.external_tx_id ? (
              <Data>{settlement.external_tx_id}</Data>
            ) : (
              <span className="none">{says.notConfirmedYet}</span>
            ),
          },
          { key: says.chain, value: <Data>{settlement.chain}</Data> },
          { key: says.wallet, value: <Id value={settlement.wallet_address} what={says.wallet2} full /> },
          { key: says.created, value: <Time at={settlement.created_at} form="absolute" /> },
          { key: says.quote, value: <Validity story={story} /> },
          story.trace_id !== null && { key: says.trace, value: <Id value={story.trace_id} what={says.traceId} full /> },
        ]}
      />
    </>
  );
}

/** Always two lines, so that nothing below moves when the quote runs out. */
function Validity({ story: { settlement, quotes } }: { story: Story }) {
  const says = useWords(FACTS);
  const view = useSettlementView(settlement);
  const { expires_at: expiresAt } = settlement;
  const from = quotes.at(-1)?.priced_at ?? settlement.created_at;
  switch (view) {
    case "quoted":
    case "approved":
      return (
        <Lines second={view === "approved" ? says.partnerMustConfirm : says.confirmedBeforeThen}>
          <Countdown to={expiresAt} from={from} label={says.quoteValid} />
        </Lines>
      );
    case "lapsed":
      return (
        <Lines second={<Lapsed />}>
          <span className="lapsed-word">{says.quoteLapsed}</span> <Time at={expiresAt} form="absolute" />
        </Lines>
      );
    case "awaiting_approval":
      return <OriginalQuote expiresAt={expiresAt} />;
    default:
      return <Told sentence={says.validUntil} time={<Time at={expiresAt} form="absolute" />} />;
  }
}

function Lapsed() {
  const says = useWords(FACTS);
  return (
    <Told
      sentence={says.confirmingAnswered}
      refusal={
        <a href="/docs/errors/quote_expired">
          <code>410 quote_expired</code>
        </a>
      }
    />
  );
}

/** A quote that awaits approval may lapse meanwhile: approving makes a new price either way. */
function OriginalQuote({ expiresAt }: { expiresAt: string }) {
  const says = useWords(FACTS);
  const lapsed = useSettlementView({ status: "quoted", approval_state: null, expires_at: expiresAt }) === "lapsed";
  return (
    <Lines second={lapsed ? says.approvingRePrices : says.approvingRePrices2}>
      {lapsed ? says.originalQuoteLapsed : says.originalQuoteUntil} <Time at={expiresAt} form="absolute" />
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
