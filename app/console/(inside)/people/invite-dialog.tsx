import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { CodeBlock } from "../../_components/controls/code-block.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/deed-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { named } from "../../_components/lists/filters.ts";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { faultAt } from "../account/profile.tsx";
import { type Role, rolesOf } from "./roles.ts";
import { INVITE_DIALOG, ROLES } from "./words.ts";

export type Side = { kind: "operator" } | { kind: "partner"; id: string; name: string };
type Form = { email: string; role: Role; partner: string };
type Invited = { email: string; link: string; expires_at: string; proposal_id: string | null };
type InviteDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onInvited: () => void;
  own: Side;
  partners: readonly { id: string; name: string }[];
  /** The partner that is chosen at the beginning; null: the operator. */
  preset: string | null;
};

/** Whom to invite to what, and then the link, the one time that it is told. */
export function InviteDialog({ open, onOpenChange, onInvited, own, partners, preset }: InviteDialogProps) {
  const says = useWords(INVITE_DIALOG);
  const [invited, setInvited] = useState<Invited | null>(null);
  useEffect(() => {
    if (!open) setInvited(null);
  }, [open]);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={invited ? says.sendTitle : says.title}
      {...(invited && {
        description: says.sendMeans,
      })}
      {...(!invited && { firstFocus: () => document.querySelector<HTMLInputElement>(".invite-form input") })}
    >
      {invited ? (
        <>
          <CodeBlock text={invited.link} label={says.linkFor(invited.email)} />
          <p className="muted">
            {invited.proposal_id === null ? (
              <Told sentence={says.worksUntil} end={<Time at={invited.expires_at} form="absolute" />} />
            ) : (
              says.notYet
            )}
          </p>
          <div className="form-buttons">
            <Button look="primary" onClick={() => onOpenChange(false)}>
              {says.done}
            </Button>
          </div>
        </>
      ) : (
        open && (
          <InviteForm
            {...{ own, partners, preset }}
            onCancel={() => onOpenChange(false)}
            onInvited={(told) => {
              setInvited(told);
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
  onInvited: (told: Invited) => void;
};

function InviteForm({ own, partners, preset, onCancel, onInvited }: InviteFormProps) {
  const says = useWords(INVITE_DIALOG);
  const roles = useWords(ROLES);
  const { people } = useTRPCClient();
  const { run, pending, error } = useDeed();
  const { register, handleSubmit, watch, setValue } = useForm<Form>({
    defaultValues: { email: "", partner: preset ?? "", role: own.kind === "operator" && preset === null ? "viewer" : "staff" },
  });
  const side = own.kind === "partner" || watch("partner") !== "" ? "partner" : "operator";
  const submit = handleSubmit(({ email, role, partner }) => {
    const command = { email: email.trim(), role, partner_id: own.kind === "partner" ? own.id : partner || null };
    void run(
      () => people.invite.mutate(command),
      (told) => onInvited({ ...told, email: command.email }),
    );
  });
  const fault = faultAt(error, "/email");
  return (
    <form className="form invite-form" onSubmit={(event) => void submit(event)} noValidate>
      {error !== null && !fault && <Refused error={error} />}
      <TextField
        label={says.eMailAddress}
        type="email"
        autoComplete="off"
        spellCheck={false}
        {...(fault && { error: fault })}
        {...register("email", { required: true })}
      />
      {own.kind === "operator" && (
        <Select
          label={says.side}
          choices={[{ value: "", label: says.theOperator }, ...named(partners)]}
          {...register("partner", { onChange: ({ target }) => setValue("role", target.value === "" ? "viewer" : "staff") })}
        />
      )}
      <Select key={side} label={says.role} choices={rolesOf(side, roles)} {...register("role")} />
      <DialogButtons onCancel={onCancel} pending={pending}>
        {says.makeLink}
      </DialogButtons>
    </form>
  );
}
