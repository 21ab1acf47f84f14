import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { SIGN_ABOVE_CAP } from "./payment-words.ts";

type Props = { transferId: string; period: "hour" | "day"; onSigned: () => void };

/** Has an admin sign that the payment goes above a cap of the signer. Two of them do. */
export function SignAboveCap({ transferId, period, onSigned }: Props) {
  const t = useTranslations(SIGN_ABOVE_CAP);
  const client = useTRPCClient();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const done = ({ signed, needed }: { signed: number; needed: number }) => {
    toast(signed < needed ? t.oneMore : t.both);
    onSigned();
  };
  return (
    <>
      <p className="button-row">
        <Button onClick={() => setOpen(true)}>{t.button}</Button>
      </p>
      {isOpen && (
        <ConfirmDialog
          title={t.title}
          description={t.descriptions[period]}
          button={t.button}
          reason
          mutation={(reason) => client.treasury.signAboveCap.mutate({ transfer_id: transferId, reason })}
          onDone={done}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
