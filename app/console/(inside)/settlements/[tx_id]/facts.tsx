import { Countdown } from "../../../_components/controls/countdown.tsx";
import { Id, KeyValues, Time, useSettlementView } from "../../../_components/controls/values.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import type { Story } from "./story.ts";

/** What a payment that does not move waits for. */
const WAITS: Record<NonNullable<Story["settlement"]["waiting_reason"]>, string> = {
  treasury_funding: "The payment waits for the treasury to be funded.",
  chain_unavailable: "The payment waits for the chain, or for what signs for it.",
  review: "The payment waits for people to look into it.",
  hold: "The payment is held until people release it.",
};

/** What it is about: whose, for whom, to where, until when. */
export function Facts({ story, isOperator }: { story: Story; isOperator: boolean }) {
  const { settlement, partner } = story;
  return (
    <>
      {settlement.failure_reason && <Note kind="danger">{settlement.failure_reason}</Note>}
      {settlement.rejection_reason && <Note kind="danger">Rejected: {settlement.rejection_reason}</Note>}
      {settlement.waiting_reason && settlement.waiting_since && (
        <Note kind="warning">
          {WAITS[settlement.waiting_reason]} Since <Time at={settlement.waiting_since} form="absolute" />.
        </Note>
      )}
      <KeyValues
        items={[
          isOperator && { key: "Partner", value: partner.name },
          { key: "Merchant", value: settlement.external_merchant_id },
          { key: "External id", value: settlement.external_tx_id ?? <span className="none">Not confirmed yet</span> },
          { key: "Chain", value: settlement.chain },
          { key: "Wallet", value: <Id value={settlement.wallet_address} what="wallet" full /> },
          { key: "Created", value: <Time at={settlement.created_at} form="absolute" /> },
          { key: "Quote", value: <Validity story={story} /> },
          story.trace_id !== null && { key: "Trace", value: <Id value={story.trace_id} what="trace id" full /> },
        ]}
      />
    </>
  );
}

/** Always two lines, so that nothing below moves when the quote runs out. */
function Validity({ story: { settlement, quotes } }: { story: Story }) {
  const view = useSettlementView(settlement);
  const { expires_at: expiresAt } = settlement;
  const from = quotes.at(-1)?.priced_at ?? settlement.created_at;
  switch (view) {
    case "quoted":
    case "approved":
      return (
        <Lines second={view === "approved" ? "The partner must confirm before then." : "To be confirmed before then."}>
          <Countdown to={expiresAt} from={from} label="Quote valid for" />
        </Lines>
      );
    case "lapsed":
      return (
        <Lines second={<Lapsed />}>
          <span className="lapsed-word">Quote lapsed</span> <Time at={expiresAt} form="absolute" />
        </Lines>
      );
    case "awaiting_approval":
      return <OriginalQuote expiresAt={expiresAt} />;
    default:
      return (
        <>
          Was valid until <Time at={expiresAt} form="absolute" />
        </>
      );
  }
}

function Lapsed() {
  return (
    <>
      Confirming is answered <a href="/docs/errors/quote_expired">410 quote_expired</a>.
    </>
  );
}

/** A quote that awaits approval may lapse meanwhile: approving makes a new price either way. */
function OriginalQuote({ expiresAt }: { expiresAt: string }) {
  const lapsed = useSettlementView({ status: "quoted", approval_state: null, expires_at: expiresAt }) === "lapsed";
  return (
    <Lines second={lapsed ? "Approving re-prices." : "Approving re-prices, before or after."}>
      {lapsed ? "Original quote lapsed" : "Original quote until"} <Time at={expiresAt} form="absolute" />
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
