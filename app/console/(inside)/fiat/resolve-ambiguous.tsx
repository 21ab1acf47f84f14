"use client";

import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPCClient } from "../../_trpc/client.ts";
import { useDeed } from "../developers/keys/use-deed.ts";

type Kind = "withdrawal" | "topup";
type Outcome = "moved" | "not_moved" | "ask_again";
type Choice = { outcome: Outcome; title: string; explained: string };

const CHOICES: Record<Kind, readonly Choice[]> = {
  withdrawal: [
    {
      outcome: "moved",
      title: "It paid out",
      explained: "By its statement or its word in writing. The withdrawal completes, and the partner is told.",
    },
    {
      outcome: "not_moved",
      title: "It did not pay, and never will",
      explained: "The crypto goes back to the Safe. If it pays after all, both sides have been paid.",
    },
    { outcome: "ask_again", title: "Ask it again", explained: "It is asked how the order stands. The order is not given to it again." },
  ],
  topup: [
    { outcome: "moved", title: "It collected the money", explained: "By its statement or its word in writing. The crypto is sent." },
    {
      outcome: "not_moved",
      title: "It did not collect, and never will",
      explained: "The top-up fails, and the partner is told. If it collects after all, have it refund the payer.",
    },
    { outcome: "ask_again", title: "Ask it again", explained: "It is asked how the order stands. The order is not given to it again." },
  ],
};

/** An admin's word on what the provider did with an order of which nobody could tell. */
export function ResolveAmbiguous({ kind, id, onDecided }: { kind: Kind; id: string; onDecided: () => void }) {
  const client = useTRPCClient();
  const toast = useToast();
  const deed = useDeed();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [reference, setReference] = useState("");
  const [reason, setReason] = useState("");
  const ready = outcome !== null && reason.trim().length >= 8 && (outcome !== "moved" || reference.trim() !== "");
  const decide = () => {
    if (outcome === null) return;
    const common = { id, kind, reason: reason.trim() };
    const input = outcome === "moved" ? { ...common, outcome, reference: reference.trim() } : { ...common, outcome };
    void deed.run(
      () => client.fiat.resolveAmbiguous.mutate(input),
      () => {
        toast("Decided", CHOICES[kind].find((choice) => choice.outcome === outcome)?.title);
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
      {deed.error !== null && <Trouble error={deed.error} compact />}
      <Choices choices={CHOICES[kind]} outcome={outcome} onChoose={setOutcome} />
      {outcome === "moved" && (
        <TextField
          label="Provider's reference"
          value={reference}
          onChange={({ target }) => setReference(target.value)}
          maxLength={256}
          autoComplete="off"
        />
      )}
      {outcome !== null && (
        <TextArea
          label="Reason"
          hint="At least eight characters; for the audit log"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <div className="dialog-buttons">
        <Button type="submit" look={outcome === "not_moved" ? "danger" : "primary"} pending={deed.pending} disabled={!ready}>
          Decide
        </Button>
      </div>
    </form>
  );
}

type ChoicesProps = { choices: readonly Choice[]; outcome: Outcome | null; onChoose: (outcome: Outcome) => void };

function Choices({ choices, outcome, onChoose }: ChoicesProps) {
  return (
    <fieldset className="reasons">
      <legend className="field-label">What you found out with the provider</legend>
      {choices.map((choice) => (
        <label key={choice.outcome} className="check choice">
          <input type="radio" name="outcome" checked={outcome === choice.outcome} onChange={() => onChoose(choice.outcome)} />
          <span>
            {choice.title}
            <span className="field-hint choice-hint">{choice.explained}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
