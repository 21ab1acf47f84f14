import { useMutation } from "@tanstack/react-query";
import { type FieldPath, useForm } from "react-hook-form";
import type { Answers } from "#server/console/router.ts";
import { boundTo, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog, useBusy } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { emailRule, type Fields, isPointedOut, orNull, phoneRule, pointOut } from "./member-rules.ts";
import { EDIT_MEMBER, MEMBER_RULES } from "./words.ts";

type Member = Answers["members"]["byId"]["member"];

export function EditMember({ member, open, onClose }: { member: Member; open: boolean; onClose: () => void }) {
  const t = useTranslations(EDIT_MEMBER);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.title} shape="drawer">
      {open && <Edit member={member} onClose={onClose} />}
    </Dialog>
  );
}

/** Phone, name and e-mail address. Unchanged fields are not sent. */
function Edit({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTranslations(EDIT_MEMBER);
  const rules = useTranslations(MEMBER_RULES);
  const trpc = useTRPC();
  const toast = useToast();
  const { handleSubmit, setError, ...form } = useForm<Pick<Fields, "phone" | "name" | "email">>({
    mode: "onTouched",
    defaultValues: { phone: member.phone, name: member.name ?? "", email: member.email ?? "" },
  });
  const { dirtyFields, isDirty } = form.formState;
  const field = boundTo(form);
  const update = useMutation(
    trpc.members.update.mutationOptions({
      onSuccess: () => {
        toast(t.changed, member.external_user_id);
        onClose();
      },
      onError: (error) => pointOut(error, (field, fault) => field !== "external_user_id" && isOwn(field) && setError(field, fault)),
      onSettled: useRefresh(trpc.members.byId.queryKey({ id: member.id }), trpc.members.list.queryKey()),
    }),
  );
  useBusy(update.isPending);
  const submit = handleSubmit(({ phone, name, email }) => {
    if (update.isPending) return;
    update.mutate({
      id: member.id,
      ...(dirtyFields.phone && { phone }),
      ...(dirtyFields.name && { name: orNull(name) }),
      ...(dirtyFields.email && { email: orNull(email) }),
    });
  });
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {update.error && !isPointedOut(update.error) && <Refused error={update.error} />}
      <TextField label={t.phone} type="tel" {...field("phone", { validate: (text) => phoneRule(text, rules) })} />
      <TextField label={t.name} maxLength={128} {...field("name")} />
      <TextField label={t.eMailAddress} type="email" {...field("email", { validate: (text) => emailRule(text, rules) })} />
      <p className="muted">{t.unchangeable}</p>
      <DialogButtons onCancel={onClose} pending={update.isPending} ready={isDirty}>
        {t.save}
      </DialogButtons>
    </form>
  );
}

const isOwn = (field: FieldPath<Fields>): field is "phone" | "name" | "email" => ["phone", "name", "email"].includes(field);
