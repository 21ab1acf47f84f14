import { useState } from "react";
import { Select, TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { written } from "../../../_format/amount.ts";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { AMOUNT, bare } from "../../fiat/order-form.tsx";
import type { BookingRow, Partner } from "../answers.ts";
import { ACCOUNT, BOOKING_DIALOG } from "./words.ts";

const KINDS = ["partner_payment", "partner_payout"] as const;
type Kind = (typeof KINDS)[number];

/** Books what a partner has paid, or was paid, once by the bank's reference. */
export function BookingDialog({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const t = useTranslations(BOOKING_DIALOG);
  const { kinds } = useTranslations(ACCOUNT);
  const client = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(useTRPC().bookings.pathKey());
  const [kind, setKind] = useState<Kind>("partner_payment");
  const [typed, setTyped] = useState("");
  const [currency, setCurrency] = useState("");
  const [reference, setReference] = useState("");
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10));
  const amount = bare(typed);
  const code = currency.trim().toUpperCase();
  const isReady = AMOUNT.test(amount) && Number(amount) > 0 && /^[A-Z]{3}$/.test(code) && reference.trim() !== "" && day !== "";
  const declare = (reason: string) => {
    const received = { received_at: `${day}T00:00:00Z`, reference: reference.trim() };
    return client.bookings.declare.mutate({ partner_id: partner.id, kind, amount, currency: code, reason, ...received });
  };
  return (
    <ConfirmDialog
      title={t.title(partner.name)}
      description={t.consequence}
      reason
      ready={isReady}
      button={t.bookIt}
      mutation={declare}
      onDone={({ proposed, repeated }) => {
        toast(proposed ? t.proposed : repeated ? t.repeated : t.booked, written(amount, code));
        refresh();
      }}
      onClose={onClose}
    >
      <Select
        label={t.kind}
        choices={KINDS.map((value) => ({ value, label: kinds[value] }))}
        value={kind}
        onChange={({ target }) => setKind(KINDS.find((each) => each === target.value) ?? "partner_payment")}
      />
      <TextField label={t.amount} inputMode="decimal" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <TextField label={t.currency} maxLength={3} translate="no" value={currency} onChange={({ target }) => setCurrency(target.value)} />
      <TextField
        label={t.reference}
        hint={t.referenceHint}
        maxLength={128}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <TextField label={t.day} type="date" value={day} onChange={({ target }) => setDay(target.value)} />
    </ConfirmDialog>
  );
}

/** Takes a wrong booking back. */
export function ReverseDialog({ booking: { id, reference }, onClose }: { booking: BookingRow; onClose: () => void }) {
  const t = useTranslations(BOOKING_DIALOG);
  const client = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(useTRPC().bookings.pathKey());
  return (
    <ConfirmDialog
      title={t.reverseTitle(reference)}
      description={t.reverseMeans}
      reason
      isDanger
      button={t.reverseIt}
      mutation={(reason) => client.bookings.reverse.mutate({ id, reason })}
      onDone={({ proposed }) => {
        toast(proposed ? t.proposed : t.reversed);
        refresh();
      }}
      onClose={onClose}
    />
  );
}
