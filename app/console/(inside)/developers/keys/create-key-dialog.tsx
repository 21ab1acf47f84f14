import { useDeferredValue } from "react";
import { useForm } from "react-hook-form";
import { addressOrRange } from "#contract/primitives.ts";
import { type Scope, scopesOf } from "#domain/access.ts";
import type { SignedManagement } from "#domain/api-key.ts";
import { boundTo, Select, TextArea, TextField } from "../../../_components/controls/field.tsx";
import { DialogButtons } from "../../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { Refused, useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../../_words/words.ts";
import { keyOnce } from "./first-call.ts";
import { RightsEffect } from "./key-effect.tsx";
import { CREATE_KEY_DIALOG, FIRST_CALL } from "./words.ts";

type Translations = WithShared<typeof CREATE_KEY_DIALOG>;

const LIFETIMES = ["", "30", "90", "365", "date"] as const;

/** `mode`: in live mode a key signs everything by default. */
type Props = { partnerId: string | null; mode: "live" | "test"; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

export function CreateKeyDialog(props: Props) {
  const t = useTranslations(CREATE_KEY_DIALOG);
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title={t.title}>
      <CreateKey {...props} />
    </Dialog>
  );
}

const SIGNS = ["all", "changes", "none"] as const;
type Signs = (typeof SIGNS)[number];
const SIGNED_MANAGEMENT = { all: "all", changes: true, none: false } as const satisfies Record<Signs, SignedManagement>;

type Form = { name: string; scopes: Scope[]; addresses: string; lifetime: string; day: string; signs: Signs };

function CreateKey({ partnerId, mode, onClose, onIssued }: Props) {
  const t = useTranslations(CREATE_KEY_DIALOG);
  const once = useTranslations(FIRST_CALL);
  const client = useTRPCClient();
  const mutation = useConfirmedMutation();
  const form = useForm<Form>({
    mode: "onTouched",
    defaultValues: {
      name: "",
      scopes: [...firstScopes(partnerId)],
      addresses: "",
      lifetime: "",
      day: "",
      signs: mode === "live" ? "all" : "none",
    },
  });
  const { register, handleSubmit, watch } = form;
  const { scopes: noScope } = form.formState.errors;
  const [chosen, written] = [watch("scopes"), useDeferredValue(watch("addresses"))];
  const addresses = judgeAddresses(written, t) === true ? listed(written) : [];
  const narrows = chosen.length > 0 && (chosen.length < scopesOf(partnerId).length || addresses.length > 0);
  const field = boundTo(form);
  const submit = handleSubmit(async ({ name, scopes, addresses, lifetime, day, signs }) => {
    const input = {
      partner_id: partnerId,
      name: name.trim(),
      scopes,
      allowed_ips: listed(addresses),
      expires_at: endOf(lifetime, day),
      signed_management: SIGNED_MANAGEMENT[signs],
    };
    await mutation.run(
      () => client.developers.createKey.mutate(input),
      (key, hasLeft) => {
        const { name: made } = key;
        onIssued(keyOnce(key, key.proposal_id === null ? t.created(made) : t.proposed(made), once));
        if (!hasLeft) onClose();
      },
    );
  });
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {mutation.error !== null && <Refused error={mutation.error} />}
      <TextField
        label={t.name}
        hint={t.nameHint}
        maxLength={128}
        {...field("name", { validate: (text) => text.trim() !== "" || t.nameWanted })}
      />
      <fieldset className="reasons scope-choice">
        <legend className="field-label">{t.permissions}</legend>
        {scopesOf(partnerId).map((scope) => (
          <label key={scope} className="check">
            <input type="checkbox" value={scope} {...register("scopes", { validate: (chosen) => chosen.length > 0 || t.chooseOne })} />
            <span>
              {t.scopes[scope]}{" "}
              <code className="muted" translate="no">
                {scope}
              </code>
            </span>
          </label>
        ))}
        {noScope && (
          <p className="field-error" role="alert">
            {noScope.message}
          </p>
        )}
      </fieldset>
      <Select
        label={t.signs}
        hint={t.signsMeans[watch("signs")]}
        choices={SIGNS.map((value) => ({ value, label: t.signing[value] }))}
        {...field("signs")}
      />
      <TextArea
        label={t.allowedAddresses}
        hint={t.addressesHint}
        spellCheck={false}
        {...field("addresses", { validate: (text) => judgeAddresses(text, t) })}
      />
      {narrows && <RightsEffect partnerId={partnerId} scopes={chosen} addresses={addresses} />}
      <Select label={t.expires} choices={LIFETIMES.map((value) => ({ value, label: t.lifetimes[value] }))} {...field("lifetime")} />
      {watch("lifetime") === "date" && (
        <TextField label={t.day} type="date" {...field("day", { validate: (day) => endOf("date", day) !== null || t.dayWanted })} />
      )}
      <DialogButtons onCancel={onClose} pending={mutation.pending}>
        {t.createKey}
      </DialogButtons>
    </form>
  );
}

/** The initial values: an operator's key gets more rights only on request. */
function firstScopes(partnerId: string | null): readonly Scope[] {
  return partnerId === null ? ["read"] : scopesOf(partnerId);
}

function listed(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((each) => each !== ""))];
}

const MAX_ADDRESSES = 100;

function judgeAddresses(text: string, t: Translations): string | true {
  const all = listed(text);
  const wrong = all.filter((each) => !addressOrRange.safeParse(each).success);
  if (wrong.length > 0) return t.notAddresses(wrong.slice(0, 3).join(", "));
  return all.length <= MAX_ADDRESSES || t.tooManyAddresses(MAX_ADDRESSES);
}

const DAY_MS = 86_400_000;

/** The instant at which a key expires; null: never, or an invalid or past day. */
function endOf(lifetime: string, day: string): string | null {
  if (lifetime === "") return null;
  if (lifetime !== "date") return new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
  const end = new Date(`${day}T00:00:00.000Z`).getTime() + DAY_MS;
  return Number.isNaN(end) || end <= Date.now() ? null : new Date(end).toISOString();
}
