"use client";

import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useTRPCClient } from "../../_trpc/client.ts";
import { patience } from "../../_trpc/deadline.ts";
import { useDeed } from "../developers/keys/use-deed.ts";
import type { Review } from "./answers.ts";

type Outcome = "resume" | "executed" | "failed";

const CHOICES: readonly { outcome: Outcome; title: string; explained: string }[] = [
  {
    outcome: "resume",
    title: "Look again",
    explained: "The worker takes it up again. Nothing is signed anew; if nothing has changed it comes back here.",
  },
  {
    outcome: "executed",
    title: "It was paid",
    explained:
      "Name the transaction. It must be final, no older than the debt, show exactly this payment on every node, and have proved no other. The partner is told that it is executed.",
  },
  {
    outcome: "failed",
    title: "It was not paid and never will be",
    explained: "Refused while any attempt of ours may have paid. It ends as failed, for good, and the partner is told your words.",
  },
];

/** Every node of the chain is asked before. */
const NODES_MS = 20_000;

/** An admin's word on a payment under review: which of the three, why, and a typed number against slips. */
export function Decide({ review, onDecided }: { review: Review; onDecided: () => void }) {
  const client = useTRPCClient();
  const toast = useToast();
  const deed = useDeed();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [hash, setHash] = useState("");
  const [told, setTold] = useState("");
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(hash.trim());
  const complete = outcome === "resume" || (outcome === "executed" && isHash) || (outcome === "failed" && told.trim().length >= 8);
  const ready = complete && reason.trim().length >= 8 && typed.trim() === String(review.nonce);
  const decide = () => {
    const common = { transfer_id: review.transfer_id, reason: reason.trim() };
    const input =
      outcome === "executed"
        ? { ...common, outcome, tx_hash: hash.trim() }
        : outcome === "failed"
          ? { ...common, outcome, failure_reason: told.trim() }
          : { ...common, outcome: "resume" as const };
    void deed.run(
      () => client.treasury.resolve.mutate(input, { context: patience(NODES_MS) }),
      () => {
        toast("Decided", CHOICES.find((choice) => choice.outcome === outcome)?.title);
        onDecided();
      },
    );
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) decide();
      }}
    >
      {deed.error !== null && <Refused error={deed.error} />}
      <Choices outcome={outcome} mayFail={review.may_fail} onChoose={setOutcome} />
      {outcome === "executed" && (
        <TextField
          label="Transaction that paid it"
          value={hash}
          onChange={({ target }) => setHash(target.value)}
          error={hash === "" || isHash ? undefined : "0x and 64 hexadecimal digits"}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      {outcome === "failed" && (
        <TextField label="What the partner is told" value={told} onChange={({ target }) => setTold(target.value)} maxLength={500} />
      )}
      {outcome !== null && (
        <>
          <TextArea
            label="Reason"
            hint="At least eight characters; for the audit log"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <TextField
            label={`Type the nonce ${review.nonce} to confirm`}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoComplete="off"
          />
        </>
      )}
      <div className="dialog-buttons">
        <Button type="submit" look={outcome === "failed" ? "danger" : "primary"} pending={deed.pending} disabled={!ready}>
          Decide
        </Button>
      </div>
    </form>
  );
}

type ChoicesProps = { outcome: Outcome | null; mayFail: boolean; onChoose: (outcome: Outcome) => void };

function Choices({ outcome, mayFail, onChoose }: ChoicesProps) {
  return (
    <fieldset className="reasons">
      <legend className="field-label">Your word</legend>
      {CHOICES.map((choice) => {
        const closed = choice.outcome === "failed" && !mayFail;
        return (
          <label key={choice.outcome} className="check choice">
            <input
              type="radio"
              name="outcome"
              checked={outcome === choice.outcome}
              disabled={closed}
              onChange={() => onChoose(choice.outcome)}
            />
            <span>
              {choice.title}
              <span className="field-hint choice-hint">
                {closed ? "The chain does not allow it just now: see above." : choice.explained}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
