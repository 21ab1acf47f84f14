import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Select, TextArea, TextField, UrlField } from "../../_components/controls/field.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Role } from "../people/roles.ts";
import type { Provider } from "./answers.ts";
import { PROVIDER_FORM } from "./words.ts";

type Form = Record<"name" | "slug" | "issuer" | "clientId" | "clientSecret" | "groupsClaim" | "roles" | "acr" | "duty", string> & {
  keepers: [string, string];
};
type ProviderFormProps = { side: "operator" | "partner"; provider: Provider | null; onSaved: () => void; onClose: () => void };

const ROLES = { operator: ["admin", "approver", "viewer"], partner: ["owner", "staff"] } as const;

/** The settings of a new provider, or of one that is there. */
export function ProviderForm({ side, provider, onSaved, onClose }: ProviderFormProps) {
  const t = useTranslations(PROVIDER_FORM);
  const { identity } = useTRPCClient();
  const trpc = useTRPC();
  const people = useQuery(trpc.people.list.queryOptions({}));
  const { run, pending, error } = useConfirmedMutation();
  const before = provider?.draft ?? provider?.in_force ?? null;
  const { register, handleSubmit, watch } = useForm<Form>({ defaultValues: valuesOf(before) });
  const submit = handleSubmit((form) => {
    const settings = settingsOf(form);
    const secret = form.clientSecret === "" ? {} : { client_secret: form.clientSecret };
    const which = provider === null ? { slug: form.slug.trim() } : { provider_id: provider.id, slug: provider.slug };
    void run(
      () => identity.save.mutate({ ...which, settings, ...secret }),
      () => {
        onSaved();
        onClose();
      },
    );
  });
  const candidates = (people.data?.people ?? []).filter(({ disabled_at }) => disabled_at === null);
  const choices = [
    { value: "", label: t.chooseKeeper },
    ...candidates.map(({ id, name }) => ({ value: id, label: name, origin: "data" as const })),
  ];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={provider === null ? t.addTitle : t.changeTitle} width="wide">
      <form className="form" onSubmit={(event) => void submit(event)} noValidate>
        {error !== null && <Refused error={error} />}
        <TextField label={t.name} hint={t.nameHint} {...register("name", { required: true })} />
        {provider === null && <TextField label={t.slug} hint={t.slugHint} spellCheck={false} {...register("slug", { required: true })} />}
        <UrlField label={t.issuer} hint={t.issuerHint} {...register("issuer", { required: true })} />
        <TextField label={t.clientId} spellCheck={false} {...register("clientId", { required: true })} />
        <TextField
          label={t.clientSecret}
          hint={provider?.has_secret ? t.secretKept : t.secretHint}
          type="password"
          autoComplete="off"
          {...register("clientSecret")}
        />
        <TextField label={t.groupsClaim} spellCheck={false} {...register("groupsClaim", { required: true })} />
        <TextArea label={t.roles} hint={t.rolesHint(ROLES[side].join(", "))} spellCheck={false} {...register("roles")} />
        <TextField label={t.acr} hint={t.acrHint} spellCheck={false} {...register("acr")} />
        <Select
          label={t.duty}
          choices={[
            { value: "no", label: t.dutyNo },
            { value: "yes", label: t.dutyYes },
          ]}
          {...register("duty")}
        />
        {watch("duty") === "yes" && (
          <>
            <Select key={`0 ${candidates.length}`} label={t.keeper(1)} choices={choices} {...register("keepers.0")} />
            <Select key={`1 ${candidates.length}`} label={t.keeper(2)} choices={choices} {...register("keepers.1")} />
          </>
        )}
        <DialogButtons onCancel={onClose} pending={pending}>
          {t.save}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function valuesOf(before: Provider["in_force"]): Form {
  if (before === null) {
    const empty = { name: "", slug: "", issuer: "", clientId: "", clientSecret: "", roles: "", acr: "" };
    return { ...empty, groupsClaim: "groups", duty: "no", keepers: ["", ""] };
  }
  const { name, issuer, client_id: clientId, groups_claim: groupsClaim, roles, demanded_acr: acr, is_duty, keeper_ids } = before;
  const lines = roles.map(({ group, role }) => `${group} = ${role}`).join("\n");
  const keepers: [string, string] = [keeper_ids[0] ?? "", keeper_ids[1] ?? ""];
  const rest = { roles: lines, acr: acr ?? "", duty: is_duty ? "yes" : "no", keepers };
  return { name, slug: "", issuer, clientId, clientSecret: "", groupsClaim, ...rest };
}

function settingsOf(form: Form) {
  const isDuty = form.duty === "yes";
  return {
    name: form.name.trim(),
    issuer: form.issuer.trim(),
    client_id: form.clientId.trim(),
    groups_claim: form.groupsClaim.trim(),
    roles: form.roles.split("\n").flatMap((line) => {
      const at = line.lastIndexOf("=");
      // The service refuses what is no role, and says where.
      return line.trim() === "" ? [] : [{ group: line.slice(0, at).trim(), role: line.slice(at + 1).trim() as Role }];
    }),
    demanded_acr: form.acr.trim() || null,
    is_duty: isDuty,
    keeper_ids: isDuty ? form.keepers.filter((id) => id !== "") : [],
  };
}
