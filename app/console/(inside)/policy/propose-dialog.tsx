import type { WrittenRule } from "#domain/policy-rule.ts";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedForm } from "../../_components/dialogs/deed-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { RuleChanges } from "./rule-changes.tsx";
import { PROPOSE } from "./words.ts";

type Rules = readonly WrittenRule[];
type Props = { before: Rules; after: Rules; version: number; onClose: () => void; onDone: () => void };

/** What would change, and why: then it is in force, or waits for another admin. */
export function ProposeDialog({ before, after, version, onClose, onDone }: Props) {
  const says = useWords(PROPOSE);
  const trpc = useTRPC();
  const { approvalPolicy } = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(trpc.approvalPolicy.read.queryKey(), trpc.proposals.list.queryKey());
  const put = async (reason: string) =>
    await approvalPolicy.set.mutate({ rules: after.map((rule) => ({ ...rule })), expected_version: version, reason }).finally(refresh);
  const done = (answer: Awaited<ReturnType<typeof put>>, hasLeft: boolean) => {
    if (answer.proposed) toast(says.proposed, says.proposedMore);
    else toast(says.done, says.doneMore(answer.version ?? version + 1));
    onDone();
    if (!hasLeft) onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={says.title} description={says.words} width="wide">
      <DeedForm button={says.button} reason deed={put} onDone={done} onCancel={onClose}>
        <RuleChanges before={before} after={after} />
      </DeedForm>
    </Dialog>
  );
}
