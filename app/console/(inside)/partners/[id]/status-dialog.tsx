import { useToast } from "../../../_components/controls/toast.tsx";
import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { useWords } from "../../../_words/words.ts";
import type { Partner } from "../answers.ts";
import { STATUS_DIALOG } from "./words.ts";

type Props = { partner: Partner; onClose: () => void };

/** Suspends a partner by typing its name, or lets it in again. */
export function StatusDialog({ partner: { id, name, status }, onClose }: Props) {
  const says = useWords(STATUS_DIALOG);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refresh = useRefresh(trpc.partners.pathKey());
  const toast = useToast();
  const suspends = status === "active";
  const onDone = () => {
    toast(suspends ? says.suspended : says.letInAgain, name);
    refresh();
  };
  return (
    <DeedDialog
      title={suspends ? says.suspendTitle(name) : says.letAgainTitle(name)}
      description={suspends ? says.suspendMeans : says.letAgainMeans}
      reason
      typed={suspends ? name : undefined}
      button={suspends ? says.suspendPartner : says.letAgain}
      isDanger={suspends}
      deed={(reason) => client.partners.setStatus.mutate({ partner_id: id, status: suspends ? "suspended" : "active", reason })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
