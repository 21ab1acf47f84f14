import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { CANCEL_ORDER } from "./order-words.ts";

type Props = { kind: "withdrawal" | "topup"; id: string; onDone: () => void };

/** Cancels an order of which nothing has moved. A worker that was faster is said in the dialog, and the page shows what it did. */
export function CancelOrder({ kind, id, onDone }: Props) {
  const t = useTranslations(CANCEL_ORDER);
  const { fiat } = useTRPCClient();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const cancel = () => (kind === "topup" ? fiat.cancelTopup.mutate({ id }) : fiat.cancelWithdrawal.mutate({ id }));
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t[kind].cancel}</Button>
      {asking && (
        <ConfirmDialog
          title={t[kind].title}
          description={t[kind].consequence}
          button={t[kind].cancel}
          cancel={t.keep}
          isDanger
          mutation={() => cancel().finally(onDone)}
          onDone={() => toast(t[kind].cancelled, id)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
