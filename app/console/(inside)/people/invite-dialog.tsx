import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { CodeBlock } from "../../_components/controls/code-block.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { named } from "../../_components/lists/filters.ts";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { faultAt } from "../account/profile.tsx";
import { ROLES } from "./role-words.ts";
import { type Role, rolesOf } from "./roles.ts";
import { INVITE_DIALOG } from "./words.ts";

export type Side = { kind: "operator" } | { kind: "partner"; id: string; name: string };
type Form = { email: string; role: Role; partner: string };
type Invited = { email: string; link: string | null; mailed: boolean; expires_at: string; proposal_id: string | null };
type InviteDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onInvited: () => void;
  own: Side;
  partners: readonly { id: string; name: string }[];
  /** The initially chosen partner; null: the operator. */
  preset: string | null;
};

/** Whom to invite and with which role, then the link, which is shown only once. */
export function InviteDialog({ open, onOpenChange, onInvited, own, partners, preset }: InviteDialogProps) {
  const t = useTranslations(INVITE_DIALOG);
  const [invited, setInvited] = useState<Invited | null>(null);
  useEffect(() => {
    if (!open) setInvited(null);
  }, [open]);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={invited ? (invited.link === null ? t.proposed : t.sendTitle) : t.title}
      {...(invited && { description: invited.link === null ? t.onlyTheirs : t.shownOnce })}
      {...(!invited && { firstFocus: () => document.querySelector<HTMLInputElement>(".invite-form input") })}
    >
      {invited ? (
        <>
          {invited.link !== null && <CodeBlock text={invited.link} label={t.linkFor(invited.email)} />}
          <p className="muted">
            {invited.link === null ? (
              invited.mailed ? (
                t.mailedTo(invited.email)
              ) : (
                t.printedFor(invited.email)
              )
            ) : invited.proposal_id === null ? (
              <Trans sentence={t.worksUntil} end={<Time at={invited.expires_at} form="absolute" />} />
            ) : (
              t.needsConfirmation
            )}
          </p>
          <div className="form-buttons">
            <Button look="primary" onClick={() => onOpenChange(false)}>
              {t.done}
            </Button>
          </div>
        </>
      ) : (
        open && (
          <InviteForm
            own={own}
            partners={partners}
            preset={preset}
            onCancel={() => onOpenChange(false)}
            onInvited={(invitation) => {
              setInvited(invitation);
              onInvited();
            }}
          />
        )
      )}
    </Dialog>
  );
}

type InviteFormProps = Pick<InviteDialogProps, "own" | "partners" | "preset"> & {
  onCancel: () => void;
  onInvited: (invitation: Invited) => void;
};

function InviteForm({ own, partners, preset, onCancel, onInvited }: InviteFormProps) {
  const t = useTranslations(INVITE_DIALOG);
  const roles = useTranslations(ROLES);
  const { people } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation();
  const { register, handleSubmit, watch, setValue } = useForm<Form>({
    defaultValues: { email: "", partner: preset ?? "", role: own.kind === "operator" && preset === null ? "viewer" : "staff" },
  });
  const side = own.kind === "partner" || watch("partner") !== "" ? "partner" : "operator";
  const submit = handleSubmit(({ email, role, partner }) => {
    const command = { email: email.trim(), role, partner_id: own.kind === "partner" ? own.id : partner || null };
    void run(
      () => people.invite.mutate(command),
      (link) => onInvited({ ...link, email: command.email }),
    );
  });
  const fault = faultAt(error, "/email");
  return (
    <form className="form invite-form" onSubmit={(event) => void submit(event)} noValidate>
      {error !== null && !fault && <Refused error={error} />}
      <TextField label={t.eMailAddress} type="email" {...(fault && { error: fault })} {...register("email", { required: true })} />
      {own.kind === "operator" && (
        <Select
          label={t.side}
          choices={[{ value: "", label: t.theOperator }, ...named(partners)]}
          {...register("partner", { onChange: ({ target }) => setValue("role", target.value === "" ? "viewer" : "staff") })}
        />
      )}
      <Select key={side} label={t.role} choices={rolesOf(side, roles)} {...register("role")} />
      <DialogButtons onCancel={onCancel} pending={pending}>
        {t.makeLink}
      </DialogButtons>
    </form>
  );
}
