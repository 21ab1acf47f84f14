import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import type { AccountType } from "#domain/fiat.ts";
import type { Answers } from "#server/console/router.ts";
import { useToast } from "../../_components/controls/toast.tsx";
import { Id, KeyValues, Money } from "../../_components/controls/values.tsx";
import { ConfirmForm, DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { type FiatChoices, type Fields, type Kind, OrderForm } from "./order-form.tsx";
import { ORDER_DIALOG, ORDER_REVIEW } from "./order-words.ts";
import { TopupSum, WithdrawalSum } from "./review-sum.tsx";

type Props = { kind: Kind; member: string | null; onClose: () => void };

/**
 * A top-up (fiat from a member, crypto to its wallet) or a withdrawal (crypto out of a Safe, fiat to a person): fill in, review at the
 * current price, then create.
 */
export function OrderDialog({ kind, member, onClose }: Props) {
  const t = useTranslations(ORDER_DIALOG);
  const trpc = useTRPC();
  const choices = useQuery(trpc.fiat.choices.queryOptions());
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t[kind].title} shape="drawer">
      {choices.isPending && <Skeleton rows={6} />}
      {choices.error && <ErrorState error={choices.error} onRetry={() => void choices.refetch()} />}
      {choices.data && <Steps kind={kind} choices={choices.data} member={member} onClose={onClose} />}
    </Dialog>
  );
}

function Steps({ kind, choices, member, onClose }: Props & { choices: FiatChoices }) {
  const t = useTranslations(ORDER_DIALOG);
  const router = useRouter();
  const toast = useToast();
  const [reviewed, setReviewed] = useState<Reviewed | null>(null);
  const { preview, ask } = useCalls(kind);
  const { run, pending, error } = useConfirmedMutation();
  const [chain] = choices.chains;
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
      // One per dialog: however often it is sent, it is one order.
      external_id: `console-${crypto.randomUUID()}`,
    },
  });
  if (reviewed !== null) {
    const { fields, amount, shown } = reviewed;
    return (
      <ConfirmForm
        button={t[kind].ask(`${t.format.grouped(amount)} ${fields.currency}`)}
        cancel={t.back}
        onCancel={() => setReviewed(null)}
        mutation={() => ask(fields)}
        onDone={({ id, repeated }, hasLeft) => {
          toast(repeated ? t[kind].already : t[kind].queued, id);
          if (!hasLeft) router.push(`/console/fiat/${kind}s/${id}`);
        }}
      >
        {shown}
      </ConfirmForm>
    );
  }
  const review = form.handleSubmit((typed) => {
    const fields = { ...typed, amount: t.format.plain(typed.amount) };
    return run(() => preview(fields), setReviewed);
  });
  return (
    <form className="form" onSubmit={(event) => void review(event)} noValidate>
      <OrderForm kind={kind} form={form} choices={choices} />
      {error !== null && <Refused error={error} />}
      <DialogButtons onCancel={onClose} pending={pending}>
        {t.review}
      </DialogButtons>
    </form>
  );
}

type Reviewed = { fields: Fields; amount: string; shown: ReactNode };
type Calls = {
  /** The price of the order right now. Nothing is stored. */
  preview: (fields: Fields) => Promise<Reviewed>;
  ask: (fields: Fields) => Promise<{ id: string; repeated: boolean }>;
};

function useCalls(kind: Kind): Calls {
  const { fiat } = useTRPCClient();
  if (kind === "topup") {
    return {
      preview: async (fields) => {
        const found = await fiat.previewTopup.mutate(topupOf(fields));
        return { fields, amount: found.amounts.amount, shown: <TopupReview preview={found} fields={fields} /> };
      },
      ask: (fields) => fiat.topUp.mutate(topupOf(fields)),
    };
  }
  return {
    preview: async (fields) => {
      const found = await fiat.previewWithdrawal.mutate(withdrawalOf(fields));
      return { fields, amount: found.amounts.amount, shown: <WithdrawalReview preview={found} fields={fields} /> };
    },
    ask: (fields) => fiat.withdraw.mutate(withdrawalOf(fields)),
  };
}

function topupOf(fields: Fields) {
  const { member, crypto } = fields;
  return { ...orderOf(fields), external_user_id: member.trim(), destination_currency: crypto, source: accountOf(fields) };
}

function withdrawalOf(fields: Fields) {
  const { out_of, member, crypto, name } = fields;
  return {
    ...orderOf(fields),
    external_user_id: out_of === "member" ? member.trim() : null,
    source_currency: crypto,
    destination: { ...accountOf(fields), name: name.trim() },
  };
}

function orderOf({ external_id, amount, currency, chain, callback_url }: Fields) {
  const callback = callback_url.trim();
  return { external_id: external_id.trim(), amount, currency, chain, ...(callback !== "" && { callback_url: callback }) };
}

function accountOf({ type, account }: Fields): { type: AccountType; account: string } {
  return { type: type === "bank_account" ? "bank_account" : "mobile_money", account: account.trim() };
}

/** A top-up at the current price, before it is created. */
function TopupReview({ preview, fields }: { preview: Answers["fiat"]["previewTopup"]; fields: Fields }) {
  const t = useTranslations(ORDER_REVIEW);
  return (
    <>
      <TopupSum amounts={preview.amounts} price={preview.price} fiat={fields.currency} crypto={fields.crypto} />
      <KeyValues
        items={[
          { key: t.member, value: <Data>{fields.member.trim()}</Data> },
          { key: t.collectedFrom, value: <Data>{fields.account.trim()}</Data> },
          { key: t.deliveredTo, value: <Id value={preview.wallet_address} what={t.walletNoun} /> },
          { key: t.externalId, value: <Data>{fields.external_id}</Data> },
        ]}
      />
      <Note>{t.topupNote}</Note>
    </>
  );
}

/** As {@link TopupReview}, of a withdrawal. */
function WithdrawalReview({ preview, fields }: { preview: Answers["fiat"]["previewWithdrawal"]; fields: Fields }) {
  const t = useTranslations(ORDER_REVIEW);
  const { amounts, price, safe_address, safe_balance, covered, pool_available } = preview;
  return (
    <>
      <WithdrawalSum amounts={amounts} price={price} fiat={fields.currency} crypto={fields.crypto} />
      {!covered && <Note kind="danger">{t.notCovered(fields.crypto)}</Note>}
      <KeyValues
        items={[
          { key: t.to, value: <Data>{`${fields.name.trim()}, ${fields.account.trim()}`}</Data> },
          { key: t.outOfSafe, value: <Id value={safe_address} what={t.safe} /> },
          safe_balance !== null && { key: t.safeBalance, value: <Money amount={safe_balance} currency={fields.crypto} /> },
          pool_available !== null && { key: t.poolAvailable, value: <Money amount={pool_available} currency={fields.currency} /> },
          { key: t.externalId, value: <Data>{fields.external_id}</Data> },
        ]}
      />
      <Note>{t.withdrawalNote}</Note>
    </>
  );
}
