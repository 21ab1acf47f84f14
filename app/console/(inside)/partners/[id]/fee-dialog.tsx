import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { refusalOf } from "../../../_trpc/refusal.ts";
import { useTranslations } from "../../../_words/words.ts";
import type { Partner } from "../answers.ts";
import { FEE_DIALOG } from "./words.ts";

type Props = { partner: Partner; onClose: () => void };
const FEE = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/;

/** Changes a partner's fee: old and new value, and the reason. A change that another user made meanwhile is reported, never overwritten. */
export function FeeDialog({ partner, onClose }: Props) {
  const t = useTranslations(FEE_DIALOG);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  // The change is judged against the value shown when the dialog opened, whatever arrives later.
  const [seen, setSeen] = useState(partner.charge_fee_percentage);
  const [current, setCurrent] = useState<string | null>(null);
  const [text, setText] = useState(seen);
  const fee = text.trim();
  const isOther = FEE.test(fee) && Number(fee) !== Number(seen);
  const reload = useRefresh(trpc.partners.pathKey());
  const change = async (reason: string) => {
    setCurrent(null);
    const command = { partner_id: partner.id, charge_fee_percentage: fee, expected_charge_fee_percentage: seen, reason };
    try {
      await client.partners.changeFee.mutate(command);
    } catch (error) {
      const fault = refusalOf(error)?.members.charge_fee_percentage;
      if (typeof fault === "string") setCurrent(fault);
      throw error;
    }
  };
  return (
    <ConfirmDialog
      title={t.title(partner.name)}
      description={t.consequence}
      reason
      ready={isOther}
      button={t.changeFee}
      mutation={change}
      onDone={() => {
        toast(t.feeChanged, `${partner.name}: ${seen} % → ${fee} %`);
        reload();
      }}
      onClose={onClose}
    >
      {current !== null && current !== seen && (
        <Button
          onClick={() => {
            setSeen(current);
            reload();
          }}
        >
          {t.continueFrom(current)}
        </Button>
      )}
      <TextField
        label={t.newFeePercent}
        inputMode="decimal"
        error={FEE.test(fee) ? undefined : t.feeWanted}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="fee-change" aria-live="polite">
        {seen} % → <strong>{isOther ? `${fee} %` : "…"}</strong>
      </p>
    </ConfirmDialog>
  );
}
