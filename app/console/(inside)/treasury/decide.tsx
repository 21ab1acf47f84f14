import { useState } from "react";
import { TRANSACTION_HASH } from "#domain/transaction-hash.ts";
import { Choices } from "../../_components/controls/choices.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmForm } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { patience } from "../../_trpc/deadline.ts";
import { useTranslations } from "../../_words/words.ts";
import type { Review } from "./answers.ts";
import { DECIDE } from "./order-words.ts";

type Reviewed = Pick<Review, "transfer_id" | "nonce" | "may_fail" | "nodes">;
type Outcome = "resume" | "executed" | "retry" | "failed";

const CHOICES: readonly Outcome[] = ["resume", "executed", "retry", "failed"];

/** Every node of the chain is asked first. */
const NODES_MS = 20_000;

/** Where payments lapse, nothing else may pay it either while something that was signed may. */
function isClosed(outcome: Outcome, { may_fail: mayFail, nonce }: Reviewed): boolean {
  return outcome === "executed" ? nonce === null && !mayFail : outcome !== "resume" && !mayFail;
}

/** An admin's decision about a payment under review: the outcome, the reason, and a typed number against mistakes. */
export function Decide({ review, onDecided }: { review: Reviewed; onDecided: () => void }) {
  const t = useTranslations(DECIDE);
  const client = useTRPCClient();
  const toast = useToast();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // What the chain shows as the payment is what most people would copy here.
  const paid = review.nodes.flatMap(({ attempts }) => attempts ?? []).find(({ seen }) => seen === "paid")?.hash ?? "";
  const [hash, setHash] = useState(paid);
  const [message, setMessage] = useState("");
  const isHash = TRANSACTION_HASH.test(hash.trim());
  const needsNothing = outcome === "resume" || outcome === "retry";
  const ready = needsNothing || (outcome === "executed" && isHash) || (outcome === "failed" && message.trim().length >= 8);
  const decide = async (reason: string) => {
    const common = { transfer_id: review.transfer_id, reason };
    const input =
      outcome === "executed"
        ? { ...common, outcome, tx_hash: hash.trim() }
        : outcome === "failed"
          ? { ...common, outcome, failure_reason: message.trim() }
          : { ...common, outcome: outcome === "retry" ? outcome : ("resume" as const) };
    return await client.treasury.resolve.mutate(input, { context: patience(NODES_MS) });
  };
  return (
    <ConfirmForm
      button={outcome === null ? t.decide : t.choices[outcome].button}
      isDanger={outcome === "failed"}
      ready={ready}
      reason={outcome !== null}
      typed={outcome === null ? undefined : String(review.nonce ?? review.transfer_id.slice(-6))}
      mutation={decide}
      onDone={({ proposed }) => {
        toast(proposed ? t.proposedToAdmin : t.decided, outcome === null ? undefined : t.choices[outcome].title);
        onDecided();
      }}
    >
      <Choices
        legend={t.outcome}
        choices={CHOICES.map((each) => ({
          outcome: each,
          ...t.choices[each],
          ...(isClosed(each, review) && { closed: t.notAllowed }),
        }))}
        chosen={outcome}
        onChoose={setOutcome}
      />
      {outcome === "executed" && (
        <TextField
          label={t.transaction}
          value={hash}
          hint={hash !== "" && hash === paid && t.transactionHint}
          onChange={({ target }) => setHash(target.value)}
          error={hash === "" || isHash ? undefined : t.hashWanted}
        />
      )}
      {outcome === "failed" && (
        <TextField label={t.partnerMessage} value={message} onChange={({ target }) => setMessage(target.value)} maxLength={500} />
      )}
    </ConfirmForm>
  );
}
