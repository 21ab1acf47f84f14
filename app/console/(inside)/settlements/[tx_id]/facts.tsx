"use client";

import { Id } from "../../../_components/id.tsx";
import { KeyValues } from "../../../_components/key-values.tsx";
import { useSettlementView } from "../../../_components/status-badge.tsx";
import { Countdown, Time } from "../../../_components/time.tsx";
import type { Story } from "./story.ts";

/** What it is about: whose, for whom, to where, until when. */
export function Facts({ story, isOperator }: { story: Story; isOperator: boolean }) {
  const { settlement, partner } = story;
  const view = useSettlementView(settlement);
  return (
    <>
      {settlement.failure_reason && (
        <p className="note" data-kind="danger">
          {settlement.failure_reason}
        </p>
      )}
      {settlement.rejection_reason && (
        <p className="note" data-kind="danger">
          Rejected: {settlement.rejection_reason}
        </p>
      )}
      <KeyValues
        items={[
          isOperator && { key: "Partner", value: partner.name },
          { key: "Merchant", value: settlement.external_merchant_id },
          { key: "External id", value: settlement.external_tx_id ?? <span className="none">Not confirmed yet</span> },
          { key: "Chain", value: settlement.chain },
          { key: "Wallet", value: <Id value={settlement.wallet_address} what="wallet" full /> },
          { key: "Created", value: <Time at={settlement.created_at} form="absolute" /> },
          validity(view, settlement.expires_at),
        ]}
      />
    </>
  );
}

function validity(view: string, expiresAt: string) {
  switch (view) {
    case "quoted":
      return { key: "Quote valid for", value: <Countdown to={expiresAt} label="Quote valid for" /> };
    case "approved":
      return { key: "Partner must confirm within", value: <Countdown to={expiresAt} label="Partner must confirm within" /> };
    case "lapsed":
      return { key: "Quote lapsed", value: <Time at={expiresAt} form="absolute" /> };
    case "awaiting_approval":
      return { key: "Original quote until", value: <OriginalQuote expiresAt={expiresAt} /> };
    default:
      return { key: "Quote was valid until", value: <Time at={expiresAt} form="absolute" /> };
  }
}

/** A quote that awaits approval may lapse meanwhile: approving makes a new price either way. */
function OriginalQuote({ expiresAt }: { expiresAt: string }) {
  return (
    <>
      <Time at={expiresAt} form="absolute" /> <span className="muted">(approving re-prices)</span>
    </>
  );
}
