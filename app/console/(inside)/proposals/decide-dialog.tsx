import { useToast } from "../../_components/controls/toast.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { kindWords, type ProposalRow } from "./kinds.ts";
import { ProposedPolicy } from "./proposed-policy.tsx";
import { Proposer } from "./proposer.tsx";
import { DECIDE_DIALOG, KINDS } from "./words.ts";

export type Decision = { proposal: ProposalRow; deed: "confirm" | "withdraw" };
type Props = { chosen: Decision; onClose: () => void; onDecided: () => void };

/** All that would happen, and the yes or the end of it. */
export function DecideDialog({ chosen: { proposal, deed }, onClose, onDecided }: Props) {
  const [says, kinds] = [useWords(DECIDE_DIALOG), useWords(KINDS)];
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
  const { rules } = proposal;
  const details = Object.entries(rules === null ? proposal.details : {}).map(([key, value]) => ({
    ...{ key: key.replaceAll("_", " "), told: "served" as const },
    value: value === null ? says.none : <Data>{shown(value)}</Data>,
  }));
  return (
    <DeedDialog
      title={`${confirms ? says.confirm : says.withdraw}: ${kindWords(kind, kinds)}`}
      description={confirms ? says.happensWithYour : says.nothingHappensThen}
      reason={!confirms && { hint: says.auditLog, least: 0 }}
      button={confirms ? says.confirm : says.withdraw}
      isDanger={!confirms}
      deed={decide}
      onDone={() => toast(confirms ? says.carriedOut : says.withdrawn, subject)}
      onClose={onClose}
      {...(rules && { width: "wide" as const })}
    >
      <KeyValues
        items={[
          { key: says.about, value: <Data>{subject}</Data> },
          { key: says.proposedBy, value: <Proposer proposal={proposal} /> },
          proposal.reason !== null && { key: says.reason, value: <Data>{proposal.reason}</Data> },
          ...details,
        ]}
      />
      {rules && <ProposedPolicy rules={rules} />}
    </DeedDialog>
  );
}

function shown(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
