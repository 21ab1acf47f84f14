import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { NO_ANSWER } from "../../_components/frame/words.ts";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { makeKey, passkeySentence } from "../../_format/passkeys.ts";
import { PASSKEY_SENTENCES } from "../../_format/words.ts";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { Data, useTranslations, type WithShared } from "../../_words/words.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { PASSKEYS } from "./words.ts";

type Translations = WithShared<typeof PASSKEYS>;

type Passkey = { id: string; name: string; created_at: string; last_used_at: string | null; syncs: boolean; backed_up: boolean };
type PasskeysProps = {
  passkeys: readonly Passkey[];
  /** Why no passkey can be added here. */
  unavailable: string | null;
  /** The last one cannot be removed if the role needs a second factor and there is no other. */
  isLast: boolean;
  onChange: () => void;
};

/** The user's passkeys: add, rename, remove. */
export function Passkeys({ passkeys, unavailable, isLast, onChange }: PasskeysProps) {
  const t = useTranslations(PASSKEYS);
  const { account } = useTRPCClient();
  const toast = useToast();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const kept = isLast && passkeys.length === 1;
  const actions = (key: Passkey) => (
    <span className="button-row">
      <Button onClick={() => setRenamed(key)}>{t.rename}</Button>
      <Button look="danger" disabled={kept} onClick={() => setRemoved(key)}>
        {t.remove}
      </Button>
    </span>
  );
  const columns: Column<Passkey>[] = [
    { id: "name", header: t.passkey, card: 1, cell: ({ name }) => <Data>{name}</Data> },
    { id: "kept", header: t.storage, card: 2.1, cell: (key) => placeOf(key, t) },
    { id: "added", header: t.added, cell: ({ created_at }) => <Time at={created_at} form="absolute" /> },
    {
      id: "used",
      header: t.lastUsed,
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} form="absolute" /> : t.never),
    },
    { id: "actions", header: "", align: "end", cell: actions, card: 2.2 },
  ];
  return (
    <div className="passkeys">
      <p>{t.explanation}</p>
      {passkeys.length > 0 && <Table caption={t.yourPasskeys} columns={columns} rows={[...passkeys]} keyOf={({ id }) => id} />}
      {kept && <p className="muted">{t.lastNeeded}</p>}
      {unavailable === null ? (
        <AddPasskey onDone={onChange} />
      ) : (
        <p className="muted" lang="en">
          {unavailable}
        </p>
      )}
      {renamed && <Rename passkey={renamed} onDone={onChange} onClose={() => setRenamed(null)} />}
      {removed && (
        <ConfirmDialog
          title={t.removeTitle(removed.name)}
          description={t.removeExplained}
          button={t.remove}
          isDanger
          cancel={t.keepIt}
          mutation={() => account.removePasskey.mutate({ id: removed.id })}
          onDone={() => {
            toast(t.removed, removed.name);
            onChange();
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  );
}

function placeOf({ syncs, backed_up }: Passkey, t: Translations): string {
  if (backed_up) return t.backedUp;
  return syncs ? t.syncs : t.oneDevice;
}

type Form = { name: string };

/** Asks for a name, then lets the device create a key; also used for the first enrolment. */
export function AddPasskey({ onDone }: { onDone: () => void }) {
  const t = useTranslations(PASSKEYS);
  const [sentences, keys] = [useTranslations(NO_ANSWER), useTranslations(PASSKEY_SENTENCES)];
  const { account } = useTRPCClient();
  const guarded = useStepUp();
  const toast = useToast();
  const { register, handleSubmit, formState, reset } = useForm<Form>();
  const [asks, setAsks] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const submit = handleSubmit(async ({ name }) => {
    setTrouble(null);
    try {
      const { ticket, options } = await guarded(() => account.beginPasskey.mutate());
      const answer = await makeKey(options);
      const { recovery_codes } = await account.addPasskey.mutate({ ticket, answer, name: name.trim() });
      setAsks(false);
      reset();
      toast(t.addedNow, name.trim());
      if (recovery_codes === null) onDone();
      else setCodes(recovery_codes);
    } catch (error) {
      setTrouble(passkeySentence(error, keys) ?? sentenceOf(error, sentences));
    }
  });
  const close = () => {
    setCodes(null);
    onDone();
  };
  if (!asks) {
    return (
      <div>
        <Button onClick={() => setAsks(true)}>{t.add}</Button>
        <RecoveryCodes codes={codes} onClose={close} />
      </div>
    );
  }
  return (
    <form className="form" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t.passkeyName}
        hint={t.nameHint}
        maxLength={60}
        autoFocus
        {...(trouble && { error: trouble })}
        {...register("name", { required: true, validate: (name) => name.trim() !== "" })}
      />
      <div className="button-row">
        <Button type="submit" look="primary" pending={formState.isSubmitting}>
          {t.create}
        </Button>
        <Button onClick={() => setAsks(false)}>{t.cancel}</Button>
      </div>
    </form>
  );
}

function Rename({ passkey, onDone, onClose }: { passkey: Passkey; onDone: () => void; onClose: () => void }) {
  const t = useTranslations(PASSKEYS);
  const { account } = useTRPCClient();
  const [name, setName] = useState(passkey.name);
  return (
    <ConfirmDialog
      title={t.renameTitle(passkey.name)}
      button={t.rename}
      mutation={() => account.renamePasskey.mutate({ id: passkey.id, name: name.trim() })}
      onDone={onDone}
      onClose={onClose}
    >
      <TextField label={t.name} value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
    </ConfirmDialog>
  );
}
