import { useState } from "react";
import { type Choice, Choices } from "../../_components/controls/choices.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmForm } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { RESOLVE_AMBIGUOUS } from "./story-words.ts";

type Kind = "withdrawal" | "topup";
type Outcome = "moved" | "not_moved" | "ask_again" | "refunded" | "settled";

type Props = { kind: Kind /** After it had expired. */; paidLate: boolean; id: string; onDecided: () => void };

const CHOICES = ["moved", "not_moved", "ask_again"] as const satisfies readonly Outcome[];
/** For a top-up that was paid after it had expired. */
const LATE = ["refunded", "settled"] as const satisfies readonly Outcome[];

/** An admin's decision about an ambiguous order: what the provider actually did. */
export function ResolveAmbiguous({ kind, paidLate, id, onDecided }: Props) {
  const t = useTranslations(RESOLVE_AMBIGUOUS);
  const client = useTRPCClient();
  const toast = useToast();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [reference, setReference] = useState("");
  const choices: Choice<Outcome>[] = paidLate
    ? LATE.map((each) => ({ outcome: each, ...t.late[each] }))
    : CHOICES.map((each) => ({ outcome: each, ...t[kind][each] }));
  const wantsReference = outcome === "moved" || outcome === "refunded";
  const decide = async (reason: string) => {
    const common = { id, kind, reason };
    if (outcome === "moved" || outcome === "refunded")
      return await client.fiat.resolveAmbiguous.mutate({ ...common, outcome, reference: reference.trim() });
    return await client.fiat.resolveAmbiguous.mutate({ ...common, outcome: outcome ?? "ask_again" });
  };
  return (
    <ConfirmForm
      button={t.decide}
      isDanger={outcome === "not_moved"}
      ready={outcome !== null && (!wantsReference || reference.trim() !== "")}
      reason={outcome !== null}
      mutation={decide}
      onDone={({ proposed }) => {
        toast(proposed ? t.proposedToAdmin : t.decided, choices.find((choice) => choice.outcome === outcome)?.title);
        onDecided();
      }}
    >
      <Choices legend={paidLate ? t.lateLegend : t.whatProviderDid} choices={choices} chosen={outcome} onChoose={setOutcome} />
      {wantsReference && (
        <TextField label={t.providersReference} value={reference} onChange={({ target }) => setReference(target.value)} maxLength={256} />
      )}
    </ConfirmForm>
  );
}
