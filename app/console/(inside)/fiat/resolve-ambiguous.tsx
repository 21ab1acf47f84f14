import { useState } from "react";
import { type Choice, Choices } from "../../_components/controls/choices.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedForm } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";

type Kind = "withdrawal" | "topup";
type Outcome = "moved" | "not_moved" | "ask_again" | "refunded" | "settled";

type Props = { kind: Kind /** After it had expired. */; paidLate: boolean; id: string; onDecided: () => void };

const CHOICES: Record<Kind, readonly Choice<Outcome>[]> = {
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

/** Of a top-up that was paid after it had expired. */
const LATE: readonly Choice<Outcome>[] = [
  { outcome: "refunded", title: "The payer has the money back", explained: "The provider refunded it, and names a reference for that." },
  {
    outcome: "settled",
    title: "It was settled otherwise",
    explained: "With the partner: say how. Nothing is sent by this; what stays in the pool is booked with npm run fund-pool.",
  },
];

/** An admin's word on what the provider did with an order of which nobody could tell. */
export function ResolveAmbiguous({ kind, paidLate, id, onDecided }: Props) {
  const client = useTRPCClient();
  const toast = useToast();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [reference, setReference] = useState("");
  const choices = paidLate ? LATE : CHOICES[kind];
  const wantsReference = outcome === "moved" || outcome === "refunded";
  const decide = async (reason: string) => {
    const common = { id, kind, reason };
    if (outcome === "moved" || outcome === "refunded")
      await client.fiat.resolveAmbiguous.mutate({ ...common, outcome, reference: reference.trim() });
    else if (outcome !== null) await client.fiat.resolveAmbiguous.mutate({ ...common, outcome });
  };
  return (
    <DeedForm
      button="Decide"
      isDanger={outcome === "not_moved"}
      ready={outcome !== null && (!wantsReference || reference.trim() !== "")}
      reason={outcome !== null}
      deed={decide}
      onDone={() => {
        toast("Decided", choices.find((choice) => choice.outcome === outcome)?.title);
        onDecided();
      }}
    >
      <Choices
        legend={paidLate ? "How it was settled" : "What you found out with the provider"}
        choices={choices}
        chosen={outcome}
        onChoose={setOutcome}
      />
      {wantsReference && (
        <TextField
          label="Provider's reference"
          value={reference}
          onChange={({ target }) => setReference(target.value)}
          maxLength={256}
          autoComplete="off"
        />
      )}
    </DeedForm>
  );
}
