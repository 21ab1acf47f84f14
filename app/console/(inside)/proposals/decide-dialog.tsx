import { useToast } from "../../_components/controls/toast.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { kindWords, type ProposalRow, proposerWords } from "./words.ts";

export type Decision = { proposal: ProposalRow; deed: "confirm" | "withdraw" };
type Props = { chosen: Decision; onClose: () => void; onDecided: () => void };

/** All that would happen, and the yes or the end of it. */
export function DecideDialog({ chosen: { proposal, deed }, onClose, onDecided }: Props) {
  const { proposals } = useTRPCClient();
  const toast = useToast();
  const { id, kind, subject } = proposal;
  const confirms = deed === "confirm";
  const decide = async (reason: string) => {
    try {
      if (confirms) await proposals.confirm.mutate({ id });
      else await proposals.withdraw.mutate({ id, reason: reason || null });
    } finally {
      onDecided();
    }
  };
  const details = Object.entries(proposal.details).map(([key, value]) => ({ key: key.replaceAll("_", " "), value: shown(value) }));
  return (
    <DeedDialog
      title={`${confirms ? "Confirm" : "Withdraw"}: ${kindWords(kind)}`}
      description={
        confirms
          ? "It happens with your yes, at once. You must have given your one-time code within the last five minutes."
          : "Nothing happens then. The same may be proposed anew."
      }
      reason={!confirms && { hint: "For the audit log", least: 0 }}
      button={confirms ? "Confirm" : "Withdraw"}
      isDanger={!confirms}
      deed={decide}
      onDone={() => toast(confirms ? "Carried out" : "Withdrawn", subject)}
      onClose={onClose}
    >
      <KeyValues
        items={[
          { key: "About", value: subject },
          { key: "Proposed by", value: proposerWords(proposal) },
          proposal.reason !== null && { key: "Reason", value: proposal.reason },
          ...details,
        ]}
      />
    </DeedDialog>
  );
}

function shown(value: unknown): string {
  if (value === null) return "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
