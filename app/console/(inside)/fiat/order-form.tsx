import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { ACCOUNT_TYPES } from "#domain/fiat.ts";
import type { Answers } from "#server/console/router.ts";
import { boundTo, Select, TextField } from "../../_components/controls/field.tsx";
import { chainChoices, plain } from "../../_components/lists/filters.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { compareAmounts } from "../approvals/amounts.ts";
import { SAFE_STATES } from "../members/words.ts";
import { accountWords } from "./order-parts.tsx";
import { ORDER_FORM } from "./order-words.ts";
import { ORDER_PARTS } from "./story-words.ts";

type Translations = WithShared<typeof ORDER_FORM>;

export type Kind = "topup" | "withdrawal";
export type FiatChoices = Answers["fiat"]["choices"];

/** The input. Only a withdrawal asks for the paying Safe and the payee's name. */
export type Fields = {
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

export const AMOUNT = /^\d{1,16}(\.\d{1,4})?$/;
const given = (complaint: string) => (text: string) => text.trim() !== "" || complaint;
const urlRule = (text: string, t: Translations) => text.trim() === "" || /^https?:\/\/\S+$/.test(text.trim()) || t.urlWanted;

/** The limits of the input: at most what the pool has. */
function rangeOf({ minimum, maximum, available }: FiatChoices["pools"][number], t: Translations): string {
  return t.between(t.format.grouped(minimum), t.format.grouped(compareAmounts(available, maximum) < 0 ? available : maximum));
}

type FormProps = { kind: Kind; form: UseFormReturn<Fields>; choices: FiatChoices };

/** The common fields of both kinds of order. */
export function OrderForm({ kind, form, choices }: FormProps) {
  const t = useTranslations(ORDER_FORM);
  const parts = useTranslations(ORDER_PARTS);
  const field = boundTo(form);
  const [from, member, currency, chain] = form.watch(["out_of", "member", "currency", "chain"]);
  const paysOut = kind === "withdrawal";
  const pool = paysOut ? choices.pools.find((each) => each.currency === currency) : undefined;
  const tokens = choices.chains.find((each) => each.chain === chain)?.tokens ?? [];
  const words = t[kind];
  return (
    <>
      {paysOut && <OutOf form={form} ownSafe={choices.own_safe} />}
      {(!paysOut || from === "member") && (
        <MemberField
          value={member}
          field={field("member", {
            validate: (text, { out_of }) => (paysOut && out_of === "partner") || text.trim() !== "" || t.memberWanted,
          })}
        />
      )}
      <div className="field-row">
        <TextField
          label={words.amount}
          inputMode="decimal"
          hint={pool && rangeOf(pool, t)}
          {...field("amount", { validate: (text) => AMOUNT.test(t.format.plain(text)) || t.amountWanted })}
        />
        <Select
          label={t.currency}
          choices={plain(choices.pools.map((each) => each.currency))}
          hint={pool && t.available(t.format.grouped(pool.available))}
          {...field("currency")}
        />
      </div>
      <div className="field-row">
        <Select label={words.crypto} choices={plain(tokens)} {...field("crypto")} />
        <Select label={t.chain} choices={chainChoices(choices.chains)} {...field("chain")} />
      </div>
      <Select
        label={words.account}
        choices={ACCOUNT_TYPES.map((value) => ({ value, label: accountWords(value, parts) }))}
        {...field("type")}
      />
      <TextField label={t.account} hint={t.accountHint} maxLength={64} {...field("account", { validate: given(t.accountWanted) })} />
      {paysOut && <TextField label={t.holder} maxLength={128} {...field("name", { validate: given(t.holderWanted) })} />}
      <TextField label={t.callbackAddress} hint={t.optional} {...field("callback_url", { validate: (text) => urlRule(text, t) })} />
      <TextField
        label={t.externalId}
        hint={words.reference}
        maxLength={128}
        {...field("external_id", { validate: given(t.referenceWanted) })}
      />
    </>
  );
}

function OutOf({ form: { register }, ownSafe }: { form: UseFormReturn<Fields>; ownSafe: FiatChoices["own_safe"] }) {
  const t = useTranslations(ORDER_FORM);
  return (
    <fieldset className="radios">
      <legend className="field-label">{t.outOf}</legend>
      <label className="check">
        <input type="radio" value="partner" disabled={ownSafe === null} {...register("out_of")} />
        {t.partnersOwnSafe}
        {ownSafe === null && <span className="muted"> {t.noneOwn}</span>}
      </label>
      <label className="check">
        <input type="radio" value="member" {...register("out_of")} />
        {t.memberSafe}
      </label>
    </fieldset>
  );
}

type MemberFieldProps = { value: string; field: Omit<React.ComponentProps<typeof TextField>, "label"> };

/** Selects a member by its external id, with suggestions, and shows who it is. */
function MemberField({ value, field }: MemberFieldProps) {
  const t = useTranslations(ORDER_FORM);
  const states = useTranslations(SAFE_STATES);
  const trpc = useTRPC();
  const list = useId();
  const search = useDeferredValue(value.trim());
  const page = { limit: 25, direction: "older", ...(search !== "" && { search }) } as const;
  const { data } = useQuery(trpc.members.list.queryOptions(page, { staleTime: 30_000 }));
  const known = data?.data.find(({ member }) => member.external_user_id === value.trim())?.member;
  const knownAs = ({ name, phone, safe_status: status }: NonNullable<typeof known>) =>
    status === null ? t.memberWalletOption(name ?? phone) : t.memberSafeOption(name ?? phone, states[status]);
  return (
    <>
      <TextField label={t.member} hint={known ? knownAs(known) : t.memberHint} list={list} maxLength={128} {...field} />
      <datalist id={list}>
        {data?.data.map(({ member }) => (
          <option key={member.id} value={member.external_user_id} translate="no">
            {member.name ?? member.phone}
          </option>
        ))}
      </datalist>
    </>
  );
}
