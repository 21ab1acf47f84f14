import { type ComponentProps, useState } from "react";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Id, KeyValues, Money, shortened } from "../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import type { TreasuryWithdrawal, WithdrawalOrder, WithdrawalPlace } from "./answers.ts";
import { WITHDRAWAL_DIALOG } from "./withdrawal-words.ts";

type Props = { order: WithdrawalOrder; onClose: () => void; onGiven: () => void };
type Fields = Record<"chain" | "wallet" | "currency" | "amount" | "destination", string>;
type Translations = WithShared<typeof WITHDRAWAL_DIALOG>;

const NOTHING: Fields = { chain: "", wallet: "", currency: "", amount: "", destination: "" };

/** The first of each choice of a chain. */
function firstOf({ chain, wallets, currencies, destinations }: WithdrawalPlace): Omit<Fields, "amount"> {
  const [wallet = ""] = wallets;
  const [currency = ""] = currencies;
  const [destination = ""] = destinations;
  return { chain, wallet, currency, destination };
}

/** An order about a treasury withdrawal: what it does, its fields, and the reason. */
export function WithdrawalDialog({ order, onClose, onGiven }: Props) {
  const t = useTranslations(WITHDRAWAL_DIALOG);
  const client = useTRPCClient();
  const toast = useToast();
  const places = order.what === "propose" ? order.places : [];
  const [fields, setFields] = useState<Fields>({ ...NOTHING, ...(places[0] && firstOf(places[0])) });
  const { explained, toast: done, ...words } = t[order.what];
  const give = async (reason: string): Promise<string> => {
    const { treasuryWithdrawals: withdrawals } = client;
    if (order.what === "propose") {
      const { wallet: wallet_address, destination: recipient, chain, currency, amount } = fields;
      await withdrawals.propose.mutate({ chain, currency, amount: amount.trim(), wallet_address, recipient, reason });
      return done;
    }
    const { id, transfer_id: transferId } = order.withdrawal;
    if (order.what === "sign") {
      const { signed, needed } = await withdrawals.sign.mutate({ id });
      return signed < needed ? done : t.signedByTwo;
    }
    if (order.what === "reject") {
      await withdrawals.reject.mutate({ id, reason });
      return done;
    }
    const { proposed } = await client.treasury.cancel.mutate({ transfer_id: transferId ?? "", reason });
    return proposed ? t.proposedToAdmin : done;
  };
  return (
    <ConfirmDialog
      {...words}
      description={explained}
      isDanger={order.what === "cancel" || order.what === "reject"}
      reason={order.what !== "sign"}
      ready={order.what !== "propose" || fields.amount.trim() !== ""}
      mutation={give}
      onDone={(said) => {
        toast(said);
        onGiven();
      }}
      onClose={onClose}
    >
      {order.what === "propose" ? (
        <Choices t={t} places={places} fields={fields} onChange={setFields} />
      ) : (
        <What t={t} withdrawal={order.withdrawal} />
      )}
    </ConfirmDialog>
  );
}

type ChoicesProps = { t: Translations; places: readonly WithdrawalPlace[]; fields: Fields; onChange: (fields: Fields) => void };

function Choices({ t, places, fields, onChange }: ChoicesProps) {
  const place = places.find(({ chain }) => chain === fields.chain);
  const bind = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...fields, [name]: target.value }),
  });
  const data = (values: readonly string[]) => values.map((value) => ({ value, label: value, origin: "data" as const }));
  const move = (chain: string) => {
    const next = places.find((one) => one.chain === chain);
    if (next !== undefined) onChange({ ...fields, ...firstOf(next) });
  };
  return (
    <>
      {places.length > 1 && (
        <Select
          label={t.chain}
          choices={places.map(({ chain, name }) => ({ value: chain, label: name, origin: "data" as const }))}
          value={fields.chain}
          onChange={({ target }) => move(target.value)}
        />
      )}
      <AddressSelect label={t.out} what={t.walletNoun} addresses={place?.wallets ?? []} {...bind("wallet")} />
      <Select label={t.currency} choices={data(place?.currencies ?? [])} {...bind("currency")} />
      <TextField label={t.amount} inputMode="decimal" {...bind("amount")} />
      <AddressSelect label={t.into} what={t.recipient} addresses={place?.destinations ?? []} {...bind("destination")} />
    </>
  );
}

type AddressSelectProps = ComponentProps<typeof Select> & { value: string; what: string; addresses: readonly string[] };

/** The chosen address is below in full: a select on a phone cuts it. */
function AddressSelect({ what, addresses, ...rest }: Omit<AddressSelectProps, "choices">) {
  const choices = addresses.map((value) => ({ value, label: shortened(value), origin: "data" as const }));
  return <Select {...rest} choices={choices} hint={<Id value={rest.value} what={what} full copy={false} />} />;
}

function What({
  t,
  withdrawal: { amount, currency, wallet_address: wallet, recipient },
}: {
  t: Translations;
  withdrawal: TreasuryWithdrawal;
}) {
  return (
    <KeyValues
      items={[
        { key: t.amount, value: <Money amount={amount} currency={currency} /> },
        { key: t.out, value: <Id value={wallet} what={t.walletNoun} full /> },
        { key: t.into, value: <Id value={recipient} what={t.recipient} full /> },
      ]}
    />
  );
}
