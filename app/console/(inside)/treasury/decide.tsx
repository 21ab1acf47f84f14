import { useState } from "react";
import { type Choice, Choices } from "../../_components/controls/choices.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedForm } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { patience } from "../../_trpc/deadline.ts";

type Reviewed = { transfer_id: string; nonce: number; may_fail: boolean };
type Outcome = "resume" | "executed" | "failed";

const CHOICES: readonly Choice<Outcome>[] = [
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
export function Decide({ review, onDecided }: { review: Reviewed; onDecided: () => void }) {
  const client = useTRPCClient();
  const toast = useToast();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [hash, setHash] = useState("");
  const [told, setTold] = useState("");
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(hash.trim());
  const ready = outcome === "resume" || (outcome === "executed" && isHash) || (outcome === "failed" && told.trim().length >= 8);
  const decide = async (reason: string) => {
    const common = { transfer_id: review.transfer_id, reason };
    const input =
      outcome === "executed"
        ? { ...common, outcome, tx_hash: hash.trim() }
        : outcome === "failed"
          ? { ...common, outcome, failure_reason: told.trim() }
          : { ...common, outcome: "resume" as const };
    await client.treasury.resolve.mutate(input, { context: patience(NODES_MS) });
  };
  return (
    <DeedForm
      button="Decide"
      isDanger={outcome === "failed"}
      ready={ready}
      reason={outcome !== null}
      typed={outcome === null ? undefined : String(review.nonce)}
      deed={decide}
      onDone={() => {
        toast("Decided", CHOICES.find((choice) => choice.outcome === outcome)?.title);
        onDecided();
      }}
    >
      <Choices
        legend="Your word"
        choices={CHOICES.map((choice) =>
          choice.outcome === "failed" && !review.may_fail
            ? { ...choice, closed: "The chain does not allow it just now: see above." }
            : choice,
        )}
        chosen={outcome}
        onChoose={setOutcome}
      />
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
    </DeedForm>
  );
}
