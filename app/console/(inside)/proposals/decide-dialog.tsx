"use client";

import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { KeyValues } from "../../_components/controls/key-values.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPCClient } from "../../_trpc/client.ts";
import { useDeed } from "../developers/keys/use-deed.ts";
import { kindWords, type ProposalRow, proposerWords } from "./words.ts";

export type Decision = { proposal: ProposalRow; deed: "confirm" | "withdraw" };
type Props = { chosen: Decision | null; onClose: () => void; onDecided: () => void };

/** All that would happen, and the yes or the end of it. */
export function DecideDialog({ chosen, onClose, onDecided }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={chosen !== null}
      onOpenChange={(open) => !open && onClose()}
      title={chosen ? `${chosen.deed === "confirm" ? "Confirm" : "Withdraw"}: ${kindWords(chosen.proposal.kind)}` : ""}
      description={
        chosen?.deed === "confirm"
          ? "It happens with your yes, at once. You must have given your one-time code within the last five minutes."
          : "Nothing happens then. The same may be proposed anew."
      }
      busy={busy}
    >
      {chosen && <Decide chosen={chosen} onClose={onClose} onDecided={onDecided} onBusy={setBusy} />}
    </Dialog>
  );
}

type DecideProps = { chosen: Decision; onClose: () => void; onDecided: () => void; onBusy: (busy: boolean) => void };

function Decide({ chosen: { proposal, deed }, onClose, onDecided, onBusy }: DecideProps) {
  const client = useTRPCClient();
  const toast = useToast();
  const work = useDeed();
  const [reason, setReason] = useState("");
  const { id } = proposal;
  const decide = async () => {
    onBusy(true);
    await work.run(
      () =>
        deed === "confirm"
          ? client.proposals.confirm.mutate({ id })
          : client.proposals.withdraw.mutate({ id, reason: reason.trim() === "" ? null : reason.trim() }),
      () => {
        toast(deed === "confirm" ? "Carried out" : "Withdrawn", proposal.subject);
        onClose();
      },
    );
    onBusy(false);
    onDecided();
  };
  const details = Object.entries(proposal.details).map(([key, value]) => ({ key: key.replaceAll("_", " "), value: shown(value) }));
  return (
    <div className="form">
      <KeyValues
        items={[
          { key: "About", value: proposal.subject },
          { key: "Proposed by", value: proposerWords(proposal) },
          proposal.reason !== null && { key: "Reason", value: proposal.reason },
          ...details,
        ]}
      />
      {deed === "withdraw" && (
        <TextField
          label="Reason"
          hint="For the audit log"
          value={reason}
          maxLength={1_000}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      {work.error !== null && <Trouble error={work.error} compact />}
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={work.pending}>
          Cancel
        </Button>
        <Button look={deed === "confirm" ? "primary" : "danger"} pending={work.pending} onClick={() => void decide()}>
          {deed === "confirm" ? "Confirm" : "Withdraw"}
        </Button>
      </div>
    </div>
  );
}

function shown(value: unknown): string {
  if (value === null) return "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
