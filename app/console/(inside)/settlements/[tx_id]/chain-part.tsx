"use client";

import { Id } from "../../../_components/id.tsx";
import { KeyValues } from "../../../_components/key-values.tsx";
import { Time } from "../../../_components/time.tsx";
import type { Story } from "./story.ts";

type Payment = NonNullable<Story["payment"]>;

const STAGES = [
  { state: "queued", word: "Queued" },
  { state: "signed", word: "Signed" },
  { state: "broadcast", word: "Broadcast" },
  { state: "mined", word: "Confirming" },
  { state: "executed", word: "Executed" },
] as const;

/** How far the payment has come, and every hash that it ever had. */
export function ChainPart({ payment, chain }: { payment: Payment; chain: string }) {
  return (
    <>
      <Stages payment={payment} />
      {payment.waiting_reason && (
        <p className="note" data-kind="warning">
          {payment.waiting_reason}
        </p>
      )}
      {payment.review_reason && (
        <p className="note" data-kind="danger">
          Under review: {payment.review_reason}
        </p>
      )}
      <KeyValues
        items={[
          payment.tx_hash !== null && { key: "Transaction", value: <Id value={payment.tx_hash} what="transaction hash" full /> },
          payment.from !== null && { key: "From", value: <Id value={payment.from} what="sender" full /> },
          payment.block_number !== null && { key: "Block", value: payment.block_number.toLocaleString("en") },
          payment.nonce !== null && { key: "Nonce", value: String(payment.nonce) },
          { key: "Chain", value: chain },
          { key: "Last moved", value: <Time at={payment.updated_at} form="absolute" /> },
        ]}
      />
      {payment.attempts.length > 1 && <Attempts payment={payment} />}
    </>
  );
}

function Stages({ payment }: { payment: Payment }) {
  const reached = STAGES.findIndex(({ state }) => state === payment.state);
  const failed = payment.state === "failed";
  const needed = payment.confirmations_needed;
  const depth = needed === null ? `${payment.confirmations}` : `${Math.min(payment.confirmations, needed)}/${needed}`;
  if (failed || reached === -1) return null;
  return (
    <>
      <ol className="stages" aria-label="Progress">
        {STAGES.map(({ state, word }, index) => (
          <li
            key={state}
            className="stage"
            data-reached={index <= reached || undefined}
            aria-current={index === reached ? "step" : undefined}
          >
            {word}
            {state === "mined" && reached >= 3 && <span className="stage-depth"> {depth}</span>}
          </li>
        ))}
      </ol>
      {payment.state === "mined" && needed !== null && (
        <progress className="confirmations" max={needed} value={Math.min(payment.confirmations, needed)} aria-label="Confirmations" />
      )}
    </>
  );
}

function Attempts({ payment }: { payment: Payment }) {
  return (
    <>
      <h3>Attempts under this nonce</h3>
      <ol className="attempts">
        {payment.attempts.map(({ hash, number, kind, broadcast_at, signed_at }) => (
          <li key={hash}>
            <span className="muted">
              {number}. {kind === "cancellation" ? "Cancellation" : number === 1 ? "First" : "Fee raised, replaces the one before"},{" "}
              <Time at={broadcast_at ?? signed_at} form="absolute" />
            </span>
            <Id value={hash} what="hash" full />
          </li>
        ))}
      </ol>
    </>
  );
}
