"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { PARTNER_ROLES, type PartnerRole } from "#domain/partner.ts";
import { Button, LinkButton } from "../../../_components/controls/button.tsx";
import { boundTo, TextField } from "../../../_components/controls/field.tsx";
import { Link } from "../../../_components/controls/link.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { type OneTimeSecret, SecretOnce } from "../../../_components/dialogs/secret-once.tsx";
import { Refused, useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note, PageHeader } from "../../../_components/frame/page-parts.tsx";
import { useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../../_words/words.ts";
import { keyOnce } from "../../developers/keys/first-call.ts";
import { FIRST_CALL } from "../../developers/keys/words.ts";
import { rolesInWords } from "../partner-signs.tsx";
import { PARTNER_SIGNS } from "../words.ts";
import { NEW_PARTNER } from "./words.ts";

type Form = { name: string; slug: string; roles: PartnerRole[]; wallet: string; fee: string };

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const FEE = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/;

/** `Ärzte & Co.` as `arzte-co`: an editable suggestion. */
function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}

/** Creates a partner and its first key, whose secret is shown only once. */
export function NewPartner() {
  const t = useTranslations(NEW_PARTNER);
  const router = useRouter();
  const { create, mutation, created, secret, forget } = useCreate();
  const form = useForm<Form>({
    mode: "onTouched",
    defaultValues: { name: "", slug: "", roles: ["AGGREGATOR"], wallet: "", fee: "0" },
  });
  const { register, handleSubmit, watch, setValue } = form;
  const { errors, dirtyFields } = form.formState;
  const field = boundTo(form);
  const slug = useSlug(watch("slug"));
  const wallet = useWallet(watch("wallet").trim());
  const leave = () => {
    forget();
    router.push(created === null ? "/console/partners" : `/console/partners/${created}`);
  };
  return (
    <>
      <PageHeader within={{ href: "/console/partners", label: t.partners }} title={t.newPartner} />
      <form className="form wizard" onSubmit={(event) => void handleSubmit(create)(event)} noValidate>
        {mutation.error !== null && <Refused error={mutation.error} />}
        {created !== null && mutation.error !== null && (
          <Note kind="warning">
            <Trans sentence={t.keyMissing} page={<Link href={`/console/partners/${created}`}>{t.partnerPage}</Link>} />
          </Note>
        )}
        <TextField
          label={t.name}
          maxLength={128}
          {...field("name", {
            validate: (text) => text.trim() !== "" || t.nameWanted,
            onChange: ({ target }) => !dirtyFields.slug && setValue("slug", slugOf(String(target.value)), { shouldValidate: true }),
          })}
        />
        <TextField
          label={t.slug}
          hint={slug.hint}
          maxLength={64}
          error={errors.slug?.message ?? slug.problem}
          {...register("slug", { validate: (text) => SLUG.test(text) || t.slugWanted })}
        />
        <Roles form={form} />
        <TextField label={t.walletAddress} hint={wallet.hint} maxLength={128} error={wallet.problem} {...register("wallet")} />
        <TextField
          label={t.feePercent}
          hint={t.feeHint}
          inputMode="decimal"
          {...field("fee", { validate: (text) => FEE.test(text) || t.feeWanted })}
        />
        <div className="form-buttons">
          <LinkButton href="/console/partners">{t.cancel}</LinkButton>
          <Button
            type="submit"
            look="primary"
            pending={mutation.pending}
            disabled={slug.problem !== undefined || wallet.problem !== undefined || (created !== null && mutation.error === null)}
          >
            {t.createPartner}
          </Button>
        </div>
      </form>
      <SecretOnce secret={secret} onClose={leave} />
    </>
  );
}

/** First the partner, then its key. If creating the key fails, a retry creates only the key: the partner exists already. */
function useCreate() {
  const t = useTranslations(NEW_PARTNER);
  const once = useTranslations(FIRST_CALL);
  const client = useTRPCClient();
  const toast = useToast();
  const mutation = useConfirmedMutation();
  const [secret, setSecret] = useState<OneTimeSecret | null>(null);
  const [created, setCreated] = useState<string | null>(null);
  const create = async ({ name, slug, roles, wallet, fee }: Form) => {
    const input = { name: name.trim(), slug, roles, wallet_address: wallet.trim() || null, charge_fee_percentage: fee };
    await mutation.run(
      async () => {
        const id = created ?? (await client.partners.create.mutate(input)).id;
        setCreated(id);
        const key = { partner_id: id, name: t.firstKey, scopes: [...ALL_SCOPES], allowed_ips: [], expires_at: null };
        return await client.developers.createKey.mutate(key);
      },
      (key) => {
        toast(t.partnerCreated, input.name);
        setSecret(keyOnce(key, t.firstKeyOf(input.name), once));
      },
    );
  };
  return { create, mutation, created, secret, forget: () => setSecret(null) };
}

function Roles({ form: { register, formState } }: { form: UseFormReturn<Form> }) {
  const t = useTranslations(NEW_PARTNER);
  const signs = useTranslations(PARTNER_SIGNS);
  const { roles: trouble } = formState.errors;
  return (
    <fieldset className="reasons">
      <legend className="field-label">{t.roles}</legend>
      {PARTNER_ROLES.map((role) => (
        <label key={role} className="check">
          <input type="checkbox" value={role} {...register("roles", { validate: (all) => all.length > 0 || t.chooseOne })} />
          {rolesInWords([role], signs)}
        </label>
      ))}
      {trouble && (
        <p className="field-error" role="alert">
          {trouble.message}
        </p>
      )}
    </fieldset>
  );
}

const ALL_SCOPES = ["settlements:read", "settlements:write", "partner:read", "partner:write"] as const;

/** Whether the slug is free. Asked once the input has settled. */
function useSlug(slug: string): { hint: string; problem: string | undefined } {
  const t = useTranslations(NEW_PARTNER);
  const trpc = useTRPC();
  const settled = useSettled(slug, 250);
  const isSlug = SLUG.test(settled) && settled.length <= 64;
  const { data } = useQuery(trpc.partners.slug.queryOptions({ slug: settled }, { enabled: isSlug, staleTime: 5_000 }));
  const known = settled === slug && isSlug ? data : undefined;
  if (known?.free === false) return { hint: "", problem: t.slugTaken };
  return { hint: known?.free ? t.slugFree : t.slugHint, problem: undefined };
}

function useWallet(address: string): { hint: string; problem: string | undefined } {
  const t = useTranslations(NEW_PARTNER);
  const trpc = useTRPC();
  const settled = useSettled(address, 250);
  const asked = settled !== "" && settled.length <= 128;
  const { data } = useQuery(trpc.partners.wallet.queryOptions({ wallet_address: settled }, { enabled: asked, staleTime: 60_000 }));
  const known = settled === address && asked ? data : undefined;
  if (known && known.problem !== null) return { hint: "", problem: known.problem };
  return {
    hint: known ? t.walletKnown : t.walletHint,
    problem: undefined,
  };
}

/** The value once it has not changed for this long. */
function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
