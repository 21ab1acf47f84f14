import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { ACCOUNT_TYPES } from "#domain/fiat.ts";
import type { Answers } from "#server/console/router.ts";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { grouped } from "../../_format/amount.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { SAFE_WORDS } from "../members/safe-badge.tsx";
import { accountWords } from "./order-parts.tsx";

export type Kind = "topup" | "withdrawal";
export type FiatChoices = Answers["fiat"]["choices"];

/** What is typed. Only a withdrawal asks whose Safe pays, and for the name of who is paid. */
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

const LABELS: Record<Kind, { amount: string; crypto: string; account: string; reference: string }> = {
  topup: {
    amount: "To collect",
    crypto: "Deliver",
    account: "Collect from",
    reference: "Your reference; the same one is one top-up.",
  },
  withdrawal: {
    amount: "To pay out",
    crypto: "Take",
    account: "Pay to",
    reference: "Your reference; the same one is one withdrawal.",
  },
};

const AMOUNT = /^\d{1,16}(\.\d{1,4})?$/;
export const bare = (amount: string): string => amount.replaceAll(",", "").trim();
const given = (complaint: string) => (text: string) => text.trim() !== "" || complaint;
const urlRule = (text: string) => text.trim() === "" || /^https?:\/\/\S+$/.test(text.trim()) || "An absolute address, https://…";

const ACCOUNT_CHOICES = ACCOUNT_TYPES.map((value) => ({ value, label: accountWords(value) }));

type FormProps = { kind: Kind; form: UseFormReturn<Fields>; choices: FiatChoices };

/** What both kinds of order ask. */
export function OrderForm({ kind, form, choices }: FormProps) {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const [from, member, currency, chain] = watch(["out_of", "member", "currency", "chain"]);
  const paysOut = kind === "withdrawal";
  const pool = paysOut ? choices.pools.find((each) => each.currency === currency) : undefined;
  const tokens = choices.chains.find((each) => each.chain === chain)?.tokens ?? [];
  const words = LABELS[kind];
  return (
    <>
      {paysOut && <OutOf form={form} ownSafe={choices.own_safe} />}
      {(!paysOut || from === "member") && (
        <MemberField
          value={member}
          error={errors.member?.message}
          field={register("member", {
            validate: (text, { out_of }) => (paysOut && out_of === "partner") || text.trim() !== "" || "Which member?",
          })}
        />
      )}
      <div className="field-row">
        <TextField
          label={words.amount}
          inputMode="decimal"
          autoComplete="off"
          error={errors.amount?.message}
          hint={pool && `${grouped(pool.minimum)} to ${grouped(pool.maximum)}`}
          {...register("amount", { validate: (text) => AMOUNT.test(bare(text)) || "An amount such as 1,234.50." })}
        />
        <Select
          label="Currency"
          choices={choices.pools.map((each) => ({ value: each.currency, label: each.currency }))}
          hint={pool && `${grouped(pool.available)} available`}
          {...register("currency")}
        />
      </div>
      <div className="field-row">
        <Select label={words.crypto} choices={tokens.map((value) => ({ value, label: value }))} {...register("crypto")} />
        <Select
          label="On"
          choices={choices.chains.map((each) => ({ value: each.chain, label: `${each.name} (${each.chain})` }))}
          {...register("chain")}
        />
      </div>
      <Select label={words.account} choices={ACCOUNT_CHOICES} {...register("type")} />
      <TextField
        label="Account"
        hint="The phone, or the account's number"
        autoComplete="off"
        maxLength={64}
        error={errors.account?.message}
        {...register("account", { validate: given("Phone or account number.") })}
      />
      {paysOut && (
        <TextField
          label="Name of the account's holder"
          autoComplete="off"
          maxLength={128}
          error={errors.name?.message}
          {...register("name", { validate: given("Who is paid.") })}
        />
      )}
      <TextField
        label="Callback address"
        hint="Optional"
        autoComplete="off"
        error={errors.callback_url?.message}
        {...register("callback_url", { validate: urlRule })}
      />
      <TextField
        label="External id"
        hint={words.reference}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        error={errors.external_id?.message}
        {...register("external_id", { validate: given("Your reference.") })}
      />
    </>
  );
}

function OutOf({ form: { register }, ownSafe }: { form: UseFormReturn<Fields>; ownSafe: FiatChoices["own_safe"] }) {
  return (
    <fieldset className="radios">
      <legend className="field-label">Out of</legend>
      <label className="check">
        <input type="radio" value="partner" disabled={ownSafe === null} {...register("out_of")} />
        The partner's own Safe{ownSafe === null && <span className="muted"> (there is none)</span>}
      </label>
      <label className="check">
        <input type="radio" value="member" {...register("out_of")} />A member's Safe
      </label>
    </fieldset>
  );
}

type MemberFieldProps = { value: string; error: string | undefined; field: Omit<React.ComponentProps<"input">, "id" | "className"> };

/** A member by its external id, offered while one types; says who that is. */
function MemberField({ value, error, field }: MemberFieldProps) {
  const trpc = useTRPC();
  const list = useId();
  const search = useDeferredValue(value.trim());
  const page = { limit: 25, direction: "older", ...(search !== "" && { search }) } as const;
  const { data } = useQuery(trpc.members.list.queryOptions(page, { staleTime: 30_000 }));
  const known = data?.data.find(({ member }) => member.external_user_id === value.trim())?.member;
  return (
    <>
      <TextField
        label="Member"
        hint={
          known
            ? `${known.name ?? known.phone}, ${SAFE_WORDS[known.safe_status ?? "own"].toLowerCase()}${known.safe_status === null ? "" : " Safe"}`
            : "Its external id; type to search by name or phone."
        }
        error={error}
        list={list}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        {...field}
      />
      <datalist id={list}>
        {data?.data.map(({ member }) => (
          <option key={member.id} value={member.external_user_id}>
            {member.name ?? member.phone}
          </option>
        ))}
      </datalist>
    </>
  );
}
