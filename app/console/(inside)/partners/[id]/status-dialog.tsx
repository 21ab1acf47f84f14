import { useToast } from "../../../_components/controls/toast.tsx";
import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import type { Partner } from "../answers.ts";

type Props = { partner: Partner; onClose: () => void };

/** Suspends a partner by typing its name, or lets it in again. */
export function StatusDialog({ partner: { id, name, status }, onClose }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refresh = useRefresh(trpc.partners.pathKey());
  const toast = useToast();
  const suspends = status === "active";
  const onDone = () => {
    toast(suspends ? "Partner suspended" : "Partner let in again", name);
    refresh();
  };
  return (
    <DeedDialog
      title={`${suspends ? "Suspend" : "Let in again:"} ${name}`}
      description={
        suspends
          ? "Every request with its keys is refused from the next one on. What is under way runs to its end, and callbacks are still sent."
          : "Its keys work again from the next request on."
      }
      reason
      typed={suspends ? name : undefined}
      button={suspends ? "Suspend partner" : "Let in again"}
      isDanger={suspends}
      deed={(reason) => client.partners.setStatus.mutate({ partner_id: id, status: suspends ? "suspended" : "active", reason })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
