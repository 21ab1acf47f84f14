import type { WrittenRule } from "#domain/policy-rule.ts";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmForm } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { RuleChanges } from "./rule-changes.tsx";
import { PROPOSE } from "./words.ts";

type Rules = readonly WrittenRule[];
type Props = { before: Rules; after: Rules; version: number; onClose: () => void; onDone: () => void };

/** The changes and the reason; then it is in force, or waits for another admin. */
export function ProposeDialog({ before, after, version, onClose, onDone }: Props) {
  const t = useTranslations(PROPOSE);
  const trpc = useTRPC();
  const { approvalPolicy } = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(trpc.approvalPolicy.read.queryKey(), trpc.proposals.list.queryKey());
  const put = async (reason: string) =>
    await approvalPolicy.set.mutate({ rules: after.map((rule) => ({ ...rule })), expected_version: version, reason }).finally(refresh);
  const done = (answer: Awaited<ReturnType<typeof put>>, hasLeft: boolean) => {
    if (answer.proposed) toast(t.proposed, t.proposedMore);
    else toast(t.done, t.doneMore(answer.version ?? version + 1));
    onDone();
    if (!hasLeft) onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t.title} description={t.explanation} width="wide">
      <ConfirmForm button={t.putInForce} reason mutation={put} onDone={done} onCancel={onClose}>
        <RuleChanges before={before} after={after} />
      </ConfirmForm>
    </Dialog>
  );
}
