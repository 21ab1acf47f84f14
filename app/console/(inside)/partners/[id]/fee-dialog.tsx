"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import { Refused } from "../../../_components/dialogs/refused.tsx";
import { useTRPC, useTRPCClient } from "../../../_trpc/client.ts";
import { refusalOf } from "../../../_trpc/refusal.ts";
import { useDeed } from "../../developers/keys/use-deed.ts";
import type { Partner } from "../answers.ts";

type Props = { partner: Partner | null; onClose: () => void };
const FEE = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/;

/** Changes a partner's fee: the old beside the new, and why. Who was faster is told, and nothing is overwritten unseen. */
export function FeeDialog({ partner, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={partner !== null}
      onOpenChange={(open) => !open && onClose()}
      title={partner ? `Fee of ${partner.name}` : ""}
      description="It holds for top-ups and withdrawals that come from now on. What is under way keeps its own."
      busy={busy}
    >
      {partner && <Fee partner={partner} onClose={onClose} onBusy={setBusy} />}
    </Dialog>
  );
}

type Form = { fee: string; reason: string };

function Fee({ partner, onClose, onBusy }: { partner: Partner; onClose: () => void; onBusy: (busy: boolean) => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const toast = useToast();
  const deed = useDeed();
  // What was seen when the dialog opened stays what the change is judged by, whatever arrives meanwhile.
  const [seen, setSeen] = useState(partner.charge_fee_percentage);
  const { register, handleSubmit, watch, formState } = useForm<Form>({ mode: "onTouched", defaultValues: { fee: seen, reason: "" } });
  const reload = () => queries.invalidateQueries({ queryKey: trpc.partners.pathKey() });
  const fee = watch("fee").trim();
  const isOther = FEE.test(fee) && Number(fee) !== Number(seen);
  const submit = handleSubmit(async (values) => {
    onBusy(true);
    await deed.run(
      () =>
        client.partners.changeFee.mutate({
          partner_id: partner.id,
          charge_fee_percentage: values.fee.trim(),
          expected_charge_fee_percentage: seen,
          reason: values.reason.trim(),
        }),
      () => {
        toast("Fee changed", `${partner.name}: ${seen} % → ${values.fee.trim()} %`);
        void reload();
        onClose();
      },
    );
    onBusy(false);
  });
  const current = refusalOf(deed.error)?.members.charge_fee_percentage;
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {deed.error !== null && <Refused error={deed.error} />}
      {typeof current === "string" && current !== seen && (
        <Button
          onClick={() => {
            setSeen(current);
            void reload();
          }}
        >
          Go on from {current} %
        </Button>
      )}
      <TextField
        label="New fee in percent"
        inputMode="decimal"
        autoComplete="off"
        error={formState.errors.fee?.message}
        {...register("fee", { validate: (text) => FEE.test(text.trim()) || "0 to 100, with at most four decimals" })}
      />
      <p className="fee-change" aria-live="polite">
        {seen} % → <strong>{isOther ? `${fee} %` : "…"}</strong>
      </p>
      <TextArea
        label="Reason"
        hint="At least eight characters; for the audit log"
        error={formState.errors.reason?.message}
        {...register("reason", { validate: (text) => text.trim().length >= 8 || "At least eight characters" })}
      />
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={deed.pending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" pending={deed.pending} disabled={!isOther}>
          Change fee
        </Button>
      </div>
    </form>
  );
}
