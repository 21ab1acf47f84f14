import { useState } from "react";
import { Select, TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { AMOUNT } from "../../fiat/order-form.tsx";
import type { BookingRow, Partner } from "../answers.ts";
import { ACCOUNT, BOOKING_DIALOG } from "./words.ts";

const OF_PARTNERS = ["partner_payment", "partner_payout"] as const;
const OF_OPERATOR = ["provider_cost", "fiat_loss"] as const;
type Kind = (typeof OF_PARTNERS | typeof OF_OPERATOR)[number];

/**
 * Books what a partner has paid, or was paid, once by the bank's reference. `partner` null: what the operator bears, a provider's cost or a loss,
 * once by the provider's reference.
 */
export function BookingDialog({ partner, onClose }: { partner: Partner | null; onClose: () => void }) {
  const choices: readonly Kind[] = partner === null ? OF_OPERATOR : OF_PARTNERS;
  const t = useTranslations(BOOKING_DIALOG);
  const { kinds } = useTranslations(ACCOUNT);
  const client = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(useTRPC().bookings.pathKey());
  const [kind, setKind] = useState<Kind>(partner === null ? "provider_cost" : "partner_payment");
  const [typed, setTyped] = useState("");
  const [currency, setCurrency] = useState("");
  const [reference, setReference] = useState("");
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10));
  const amount = t.format.plain(typed);
  const code = currency.trim().toUpperCase();
  const isReady = AMOUNT.test(amount) && Number(amount) > 0 && /^[A-Z]{3}$/.test(code) && reference.trim() !== "" && day !== "";
  const declare = (reason: string) => {
    const received = { received_at: `${day}T00:00:00Z`, reference: reference.trim() };
    return client.bookings.declare.mutate({ partner_id: partner?.id ?? null, kind, amount, currency: code, reason, ...received });
  };
  return (
    <ConfirmDialog
      title={partner === null ? t.costTitle : t.title(partner.name)}
      description={partner === null ? t.costConsequence : t.consequence}
      reason
      ready={isReady}
      button={t.bookIt}
      mutation={declare}
      onDone={({ proposed, repeated }) => {
        toast(proposed ? t.proposed : repeated ? t.repeated : t.booked, t.format.written(amount, code));
        refresh();
      }}
      onClose={onClose}
    >
      <Select
        label={partner === null ? t.costKind : t.kind}
        choices={choices.map((value) => ({ value, label: kinds[value] }))}
        value={kind}
        onChange={({ target }) => setKind(choices.find((each) => each === target.value) ?? kind)}
      />
      <TextField label={t.amount} inputMode="decimal" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <TextField label={t.currency} maxLength={3} translate="no" value={currency} onChange={({ target }) => setCurrency(target.value)} />
      <TextField
        label={partner === null ? t.providerReference : t.reference}
        hint={partner === null ? t.providerReferenceHint : t.referenceHint}
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
