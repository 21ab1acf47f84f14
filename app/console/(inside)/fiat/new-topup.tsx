"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { AccountType } from "#domain/fiat.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { Id } from "../../_components/controls/id.tsx";
import { KeyValues } from "../../_components/controls/key-values.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { grouped } from "../../_format/amount.ts";
import { useTRPC } from "../../_trpc/client.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { ACCOUNT_CHOICES, accountRule, amountRule, bare, MemberField, newReference, urlRule } from "./order-fields.tsx";
import { TopupSum } from "./review-sum.tsx";

type Props = { open: boolean; member: string | null; onClose: () => void };
type Choices = Answers["fiat"]["choices"];
type Preview = Answers["fiat"]["previewTopup"];
type Fields = {
  member: string;
  amount: string;
  currency: string;
  crypto: string;
  chain: string;
  type: string;
  account: string;
  callback_url: string;
  external_id: string;
};

/** Fiat from a member, crypto to its wallet: filled in, reviewed at the price of that moment, then asked for. */
export function NewTopup({ open, member, onClose }: Props) {
  const trpc = useTRPC();
  const [busy, setBusy] = useState(false);
  const choices = useQuery(trpc.fiat.choices.queryOptions(undefined, { enabled: open }));
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="New top-up" shape="drawer" busy={busy}>
      {open && choices.isPending && <Skeleton rows={6} />}
      {open && choices.error && <Trouble error={choices.error} onRetry={() => void choices.refetch()} />}
      {open && choices.data && <Steps choices={choices.data} member={member} onClose={onClose} onBusy={setBusy} />}
    </Dialog>
  );
}

type StepsProps = { choices: Choices; member: string | null; onClose: () => void; onBusy: (busy: boolean) => void };

function Steps({ choices, member, onClose, onBusy }: StepsProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const toast = useToast();
  const [reviewed, setReviewed] = useState<{ preview: Preview; fields: Fields } | null>(null);
  const chain = choices.chains[0];
  // The reference is one a dialog: however often it is sent, it is one top-up.
  const form = useForm<Fields>({
    mode: "onTouched",
    defaultValues: {
      member: member ?? "",
      amount: "",
      currency: choices.pools[0]?.currency ?? "",
      crypto: chain?.tokens[0] ?? "",
      chain: chain?.chain ?? "",
      type: "mobile_money",
      account: "",
      callback_url: "",
      external_id: newReference(),
    },
  });
  const preview = useMutation(trpc.fiat.previewTopup.mutationOptions());
  const topUp = useMutation(
    trpc.fiat.topUp.mutationOptions({
      onMutate: () => onBusy(true),
      onSuccess: ({ id, repeated }) => {
        toast(repeated ? "This top-up was there already" : "Top-up queued", id);
        router.push(`/console/fiat/topups/${id}`);
      },
      onSettled: () => onBusy(false),
    }),
  );
  const guarded = useStepUp();
  // What is refused stands below, beside the button.
  const send = (fields: Fields) => void guarded(() => topUp.mutateAsync(toInput(fields))).catch(() => {});
  const review = form.handleSubmit(async (fields) => {
    const found = await preview.mutateAsync(toInput(fields)).catch(() => null);
    if (found !== null) setReviewed({ preview: found, fields });
  });
  if (reviewed !== null) {
    return (
      <>
        <Review {...reviewed} />
        {topUp.error && refusalOf(topUp.error)?.code !== "step_up_required" && <Refused error={topUp.error} />}
        <div className="dialog-buttons">
          <Button onClick={() => setReviewed(null)} disabled={topUp.isPending}>
            Back
          </Button>
          <Button look="primary" pending={topUp.isPending} onClick={() => send(reviewed.fields)}>
            Collect {grouped(reviewed.preview.amounts.amount)} {reviewed.fields.currency}
          </Button>
        </div>
      </>
    );
  }
  return (
    <form className="form" onSubmit={(event) => void review(event)} noValidate>
      {preview.error && <Refused error={preview.error} />}
      <FormFields form={form} choices={choices} />
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={preview.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" pending={preview.isPending}>
          Review
        </Button>
      </div>
    </form>
  );
}

function FormFields({ form, choices }: { form: ReturnType<typeof useForm<Fields>>; choices: Choices }) {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const [member, chain] = watch(["member", "chain"]);
  const tokens = choices.chains.find((each) => each.chain === chain)?.tokens ?? [];
  return (
    <>
      <MemberField
        value={member}
        error={errors.member?.message}
        field={register("member", { validate: (text) => text.trim() !== "" || "Which member?" })}
      />
      <div className="field-row">
        <TextField
          label="To collect"
          inputMode="decimal"
          autoComplete="off"
          error={errors.amount?.message}
          {...register("amount", { validate: amountRule })}
        />
        <Select
          label="Currency"
          choices={choices.pools.map((each) => ({ value: each.currency, label: each.currency }))}
          {...register("currency")}
        />
      </div>
      <div className="field-row">
        <Select label="Deliver" choices={tokens.map((value) => ({ value, label: value }))} {...register("crypto")} />
        <Select
          label="On"
          choices={choices.chains.map((each) => ({ value: each.chain, label: `${each.name} (${each.chain})` }))}
          {...register("chain")}
        />
      </div>
      <Select label="Collect from" choices={ACCOUNT_CHOICES} {...register("type")} />
      <TextField
        label="Account"
        hint="The phone, or the account's number"
        autoComplete="off"
        maxLength={64}
        error={errors.account?.message}
        {...register("account", { validate: accountRule })}
      />
      <TextField
        label="Callback address"
        hint="Optional"
        autoComplete="off"
        error={errors.callback_url?.message}
        {...register("callback_url", { validate: urlRule })}
      />
      <TextField
        label="External id"
        hint="Your reference; the same one is one top-up."
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        error={errors.external_id?.message}
        {...register("external_id", { validate: (text) => text.trim() !== "" || "Your reference." })}
      />
    </>
  );
}

function Review({ preview, fields }: { preview: Preview; fields: Fields }) {
  return (
    <>
      <TopupSum amounts={preview.amounts} price={preview.price} fiat={fields.currency} crypto={fields.crypto} />
      <KeyValues
        items={[
          { key: "Member", value: fields.member.trim() },
          { key: "Collected from", value: fields.account.trim() },
          { key: "Delivered to", value: <Id value={preview.wallet_address} what="wallet" /> },
          { key: "External id", value: fields.external_id },
        ]}
      />
      <p className="note">The price is fixed when you collect, and stays that however late the payer is.</p>
    </>
  );
}

function toInput(fields: Fields) {
  const callback = fields.callback_url.trim();
  const type: AccountType = fields.type === "bank_account" ? "bank_account" : "mobile_money";
  return {
    external_id: fields.external_id.trim(),
    external_user_id: fields.member.trim(),
    amount: bare(fields.amount),
    currency: fields.currency,
    destination_currency: fields.crypto,
    chain: fields.chain,
    source: { type, account: fields.account.trim() },
    ...(callback !== "" && { callback_url: callback }),
  };
}
