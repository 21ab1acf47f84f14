"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { AccountType } from "#domain/fiat.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { grouped } from "../../_format/amount.ts";
import { useTRPC } from "../../_trpc/client.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { ACCOUNT_CHOICES, accountRule, amountRule, bare, MemberField, newReference, urlRule } from "./order-fields.tsx";
import { WithdrawalReview } from "./withdrawal-review.tsx";

type Props = { open: boolean; member: string | null; onClose: () => void };
type Choices = Answers["fiat"]["choices"];
type Preview = Answers["fiat"]["previewWithdrawal"];
type Fields = {
  out_of: "partner" | "member";
  member: string;
  amount: string;
  currency: string;
  crypto: string;
  chain: string;
  type: string;
  account: string;
  name: string;
  callback_url: string;
  external_id: string;
};

/** Crypto out of a Safe, fiat to a person: filled in, reviewed at the price of that moment, then asked for. */
export function NewWithdrawal({ open, member, onClose }: Props) {
  const trpc = useTRPC();
  const [busy, setBusy] = useState(false);
  const choices = useQuery(trpc.fiat.choices.queryOptions(undefined, { enabled: open }));
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="New withdrawal" shape="drawer" busy={busy}>
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
  // The reference is one a dialog: however often it is sent, it is one withdrawal.
  const form = useForm<Fields>({
    mode: "onTouched",
    defaultValues: {
      out_of: member === null && choices.own_safe !== null ? "partner" : "member",
      member: member ?? "",
      amount: "",
      currency: choices.pools[0]?.currency ?? "",
      crypto: chain?.tokens[0] ?? "",
      chain: chain?.chain ?? "",
      type: "mobile_money",
      account: "",
      name: "",
      callback_url: "",
      external_id: newReference(),
    },
  });
  const preview = useMutation(trpc.fiat.previewWithdrawal.mutationOptions());
  const withdraw = useMutation(
    trpc.fiat.withdraw.mutationOptions({
      onMutate: () => onBusy(true),
      onSuccess: ({ id, repeated }) => {
        toast(repeated ? "This withdrawal was there already" : "Withdrawal queued", id);
        router.push(`/console/fiat/withdrawals/${id}`);
      },
      onSettled: () => onBusy(false),
    }),
  );
  const guarded = useStepUp();
  // What is refused stands below, beside the button.
  const send = (fields: Fields) => void guarded(() => withdraw.mutateAsync(toInput(fields))).catch(() => {});
  const review = form.handleSubmit(async (fields) => {
    const found = await preview.mutateAsync(toInput(fields)).catch(() => null);
    if (found !== null) setReviewed({ preview: found, fields });
  });
  if (reviewed !== null) {
    return (
      <>
        <WithdrawalReview {...reviewed} />
        {withdraw.error && refusalOf(withdraw.error)?.code !== "step_up_required" && <Refused error={withdraw.error} />}
        <div className="dialog-buttons">
          <Button onClick={() => setReviewed(null)} disabled={withdraw.isPending}>
            Back
          </Button>
          <Button look="primary" pending={withdraw.isPending} onClick={() => send(reviewed.fields)}>
            Withdraw {grouped(reviewed.preview.amounts.amount)} {reviewed.fields.currency}
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
  const [from, member, currency, chain] = watch(["out_of", "member", "currency", "chain"]);
  const pool = choices.pools.find((each) => each.currency === currency);
  const tokens = choices.chains.find((each) => each.chain === chain)?.tokens ?? [];
  return (
    <>
      <fieldset className="radios">
        <legend className="field-label">Out of</legend>
        <label className="check">
          <input type="radio" value="partner" disabled={choices.own_safe === null} {...register("out_of")} />
          The partner's own Safe{choices.own_safe === null && <span className="muted"> (there is none)</span>}
        </label>
        <label className="check">
          <input type="radio" value="member" {...register("out_of")} />A member's Safe
        </label>
      </fieldset>
      {from === "member" && (
        <MemberField
          value={member}
          error={errors.member?.message}
          field={register("member", { validate: (text, { out_of }) => out_of === "partner" || text.trim() !== "" || "Which member?" })}
        />
      )}
      <div className="field-row">
        <TextField
          label="To pay out"
          inputMode="decimal"
          autoComplete="off"
          error={errors.amount?.message}
          hint={pool && `${grouped(pool.minimum)} to ${grouped(pool.maximum)}`}
          {...register("amount", { validate: amountRule })}
        />
        <Select
          label="Currency"
          choices={choices.pools.map((each) => ({ value: each.currency, label: each.currency }))}
          hint={pool && `${grouped(pool.available)} available`}
          {...register("currency")}
        />
      </div>
      <div className="field-row">
        <Select label="Take" choices={tokens.map((value) => ({ value, label: value }))} {...register("crypto")} />
        <Select
          label="On"
          choices={choices.chains.map((each) => ({ value: each.chain, label: `${each.name} (${each.chain})` }))}
          {...register("chain")}
        />
      </div>
      <Select label="Pay to" choices={ACCOUNT_CHOICES} {...register("type")} />
      <TextField
        label="Account"
        hint="The phone, or the account's number"
        autoComplete="off"
        maxLength={64}
        error={errors.account?.message}
        {...register("account", { validate: accountRule })}
      />
      <TextField
        label="Name of the account's holder"
        autoComplete="off"
        maxLength={128}
        error={errors.name?.message}
        {...register("name", { validate: (text) => text.trim() !== "" || "Who is paid." })}
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
        hint="Your reference; the same one is one withdrawal."
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        error={errors.external_id?.message}
        {...register("external_id", { validate: (text) => text.trim() !== "" || "Your reference." })}
      />
    </>
  );
}

function toInput(fields: Fields) {
  const callback = fields.callback_url.trim();
  return {
    external_id: fields.external_id.trim(),
    external_user_id: fields.out_of === "member" ? fields.member.trim() : null,
    amount: bare(fields.amount),
    currency: fields.currency,
    source_currency: fields.crypto,
    chain: fields.chain,
    destination: { type: toAccountType(fields.type), account: fields.account.trim(), name: fields.name.trim() },
    ...(callback !== "" && { callback_url: callback }),
  };
}

function toAccountType(text: string): AccountType {
  return text === "bank_account" ? "bank_account" : "mobile_money";
}
