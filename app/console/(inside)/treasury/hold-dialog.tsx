import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { HoldOrder } from "./answers.ts";
import { HELD } from "./held-words.ts";

const PURPOSES = ["settlement", "topup", "sweep", "return", "treasury_withdrawal"] as const;

type DialogProps = { order: HoldOrder; onClose: () => void; onDone: () => void };

/** Confirms the release or refusal of a held payment. */
export function HoldDialog({ order: { what, payment }, onClose, onDone }: DialogProps) {
  const t = useTranslations(HELD);
  const client = useTRPCClient();
  const toast = useToast();
  const { toast: toastText, ...words } = t[what];
  const decide = async (reason: string) => {
    const input = {
      purpose: PURPOSES.find((purpose) => purpose === payment.purpose) ?? "settlement",
      owner_id: payment.owner_id,
      reason,
    };
    if (what === "release") return await client.exposure.release.mutate(input);
    await client.exposure.refuse.mutate(input);
    return { proposed: false };
  };
  const done = ({ proposed }: { proposed: boolean }) => {
    toast(proposed ? t.proposedToAdmin : toastText);
    onDone();
  };
  return (
    <ConfirmDialog
      {...words}
      reason={what === "refuse" ? { hint: t.reason, most: 500 } : true}
      isDanger={what === "refuse"}
      mutation={decide}
      onDone={done}
      onClose={onClose}
    />
  );
}
