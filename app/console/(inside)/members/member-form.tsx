import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type UseFormReturn, useForm } from "react-hook-form";
import { boundTo, Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog, useBusy } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { chainChoices } from "../../_components/lists/filters.ts";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { emailRule, type Fields, isPointedOut, orNull, phoneRule, pointOut } from "./member-rules.ts";
import { MEMBER_FORM, MEMBER_RULES } from "./words.ts";

/** A chain and an address in one, in the format of CAIP-10. */
const CAIP_10 = /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):([.%a-zA-Z0-9-]{1,128})$/;

export function NewMember({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations(MEMBER_FORM);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.newMember} shape="drawer">
      {open && <Create onClose={onClose} />}
    </Dialog>
  );
}

type FormProps = { onClose: () => void };

function Create({ onClose }: FormProps) {
  const t = useTranslations(MEMBER_FORM);
  const trpc = useTRPC();
  const router = useRouter();
  const toast = useToast();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const chains = choices?.chains ?? [];
  const form = useForm<Fields>({
    mode: "onTouched",
    defaultValues: { external_user_id: "", phone: "", name: "", email: "", wallet_address: "", chain: chains[0]?.chain ?? "" },
  });
  const create = useMutation(
    trpc.members.create.mutationOptions({
      onSuccess: ({ member, is_new }) => {
        toast(is_new ? t.memberCreated : t.memberExists, member.external_user_id);
        onClose();
        router.push(`/console/members/${member.id}`);
      },
      onError: (error) => pointOut(error, form.setError),
      onSettled: useRefresh(trpc.members.list.queryKey()),
    }),
  );
  useBusy(create.isPending);
  const submit = form.handleSubmit((fields) => create.isPending || create.mutate(toCreate(fields)));
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {create.error && !isPointedOut(create.error) && <Refused error={create.error} />}
      <WhoFields form={form} />
      <WalletFields form={form} chains={chains} />
      <DialogButtons onCancel={onClose} pending={create.isPending}>
        {t.createMember}
      </DialogButtons>
    </form>
  );
}

function toCreate({ external_user_id, phone, name, email, wallet_address, chain }: Fields) {
  const wallet = orNull(wallet_address);
  return {
    external_user_id: external_user_id.trim(),
    phone,
    name: orNull(name),
    email: orNull(email),
    ...(wallet !== null && { wallet_address: wallet }),
    ...(chain !== "" && { chain }),
  };
}

type CreateForm = UseFormReturn<Fields>;

function WhoFields({ form }: { form: CreateForm }) {
  const t = useTranslations(MEMBER_FORM);
  const rules = useTranslations(MEMBER_RULES);
  const field = boundTo(form);
  return (
    <>
      <TextField
        label={t.externalId}
        hint={t.externalIdHint}
        maxLength={128}
        {...field("external_user_id", { validate: (text) => text.trim() !== "" || t.externalIdWanted })}
      />
      <TextField label={t.phone} type="tel" hint={t.phoneHint} {...field("phone", { validate: (text) => phoneRule(text, rules) })} />
      <TextField label={t.name} hint={t.optional} maxLength={128} {...field("name")} />
      <TextField
        label={t.eMailAddress}
        type="email"
        hint={t.optional}
        {...field("email", { validate: (text) => emailRule(text, rules) })}
      />
    </>
  );
}

/** The service validates the address while the user fills in the rest; pasting chain and address in one sets both. */
function WalletFields({ form, chains }: { form: CreateForm; chains: readonly { chain: string; name: string }[] }) {
  const t = useTranslations(MEMBER_FORM);
  const client = useTRPCClient();
  const { setValue, getValues, trigger } = form;
  const field = boundTo(form);
  const checkWallet = async (text: string) => {
    const address = text.trim();
    if (address === "") return true;
    const { fault } = await client.members.checkWallet.query({ chain: getValues("chain"), address }).catch(() => ({ fault: null }));
    return fault ?? true;
  };
  return (
    <>
      <Select
        label={t.chain}
        choices={chainChoices(chains)}
        {...field("chain", { onChange: () => getValues("wallet_address") !== "" && void trigger("wallet_address") })}
      />
      <TextField
        label={t.wallet}
        hint={t.walletHint}
        maxLength={160}
        onPaste={(event) => {
          const [, chain = "", address = ""] = CAIP_10.exec(event.clipboardData.getData("text").trim()) ?? [];
          if (!chains.some((each) => each.chain === chain)) return;
          event.preventDefault();
          setValue("chain", chain);
          setValue("wallet_address", address, { shouldTouch: true, shouldValidate: true });
        }}
        {...field("wallet_address", { validate: checkWallet })}
      />
    </>
  );
}
