import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { HaltEffect } from "../../treasury/past-effect.tsx";
import type { Partner } from "../answers.ts";
import { STATUS_DIALOG } from "./words.ts";

type Props = { partner: Partner; onClose: () => void };

/** Suspends a partner by typing its name, or reactivates it. */
export function StatusDialog({ partner: { id, name, status }, onClose }: Props) {
  const t = useTranslations(STATUS_DIALOG);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refresh = useRefresh(trpc.partners.pathKey());
  const toast = useToast();
  const suspends = status === "active";
  const onDone = () => {
    toast(suspends ? t.suspended : t.reactivated, name);
    refresh();
  };
  return (
    <ConfirmDialog
      title={suspends ? t.suspendTitle(name) : t.reactivateTitle(name)}
      description={suspends ? t.suspendMeans : t.reactivateMeans}
      reason
      typed={suspends ? name : undefined}
      button={suspends ? t.suspendPartner : t.reactivate}
      isDanger={suspends}
      mutation={(reason) => client.partners.setStatus.mutate({ partner_id: id, status: suspends ? "suspended" : "active", reason })}
      onDone={onDone}
      onClose={onClose}
    >
      {suspends && <HaltEffect kind="partner" scope={id} />}
    </ConfirmDialog>
  );
}
