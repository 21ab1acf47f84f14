import { useQuery } from "@tanstack/react-query";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { useToast } from "../../_components/controls/toast.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { RuleChanges } from "../policy/rule-changes.tsx";
import { ProposalEffect } from "../treasury/past-effect.tsx";
import { kindWords, type ProposalRow } from "./kinds.ts";
import { Proposer } from "./proposer.tsx";
import { DECIDE_DIALOG, KINDS } from "./words.ts";

export type Decision = { proposal: ProposalRow; mutation: "confirm" | "withdraw" };
type Props = { chosen: Decision; onClose: () => void; onDecided: () => void };

/** Everything that the proposal would do, and the buttons that confirm or reject it. */
export function DecideDialog({ chosen: { proposal, mutation }, onClose, onDecided }: Props) {
  const [t, kinds] = [useTranslations(DECIDE_DIALOG), useTranslations(KINDS)];
  const { proposals } = useTRPCClient();
  const toast = useToast();
  const { id, kind, subject } = proposal;
  const confirms = mutation === "confirm";
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
    key: key.replaceAll("_", " "),
    origin: "served" as const,
    value: value === null ? t.noneNoun : <Data>{shown(value)}</Data>,
  }));
  return (
    <ConfirmDialog
      title={`${confirms ? t.confirm : t.withdraw}: ${kindWords(kind, kinds)}`}
      description={confirms ? t.confirmMeans : t.withdrawMeans}
      reason={!confirms && { hint: t.reasonHint, least: 0 }}
      button={confirms ? t.confirm : t.withdraw}
      isDanger={!confirms}
      mutation={decide}
      onDone={() => toast(confirms ? t.carriedOut : t.withdrawn, subject)}
      onClose={onClose}
      {...(rules && { width: "wide" as const })}
    >
      <KeyValues
        items={[
          { key: t.about, value: <Data>{subject}</Data> },
          { key: t.proposedBy, value: <Proposer proposal={proposal} /> },
          proposal.reason !== null && { key: t.reason, value: <Data>{proposal.reason}</Data> },
          ...details,
        ]}
      />
      {rules && <ProposedPolicy rules={rules} />}
      {kind === "exposure_limit" && confirms && <ProposalEffect id={id} />}
    </ConfirmDialog>
  );
}

function shown(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The differences between a proposed version of the approval policy and the one in force. */
function ProposedPolicy({ rules }: { rules: readonly WrittenRule[] }) {
  const { data } = useQuery(useTRPC().approvalPolicy.read.queryOptions());
  return data && <RuleChanges before={data.versions[0]?.rules ?? []} after={rules} />;
}
