import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { NO_ANSWER } from "../../_components/frame/words.ts";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { makeKey, passkeySentence } from "../../_format/passkeys.ts";
import { PASSKEY_SENTENCES } from "../../_format/words.ts";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { PASSKEYS } from "./words.ts";

type Says = typeof PASSKEYS;

type Passkey = { id: string; name: string; created_at: string; last_used_at: string | null; syncs: boolean; backed_up: boolean };
type PasskeysProps = {
  passkeys: readonly Passkey[];
  /** Why there can be none here. */
  unavailable: string | null;
  /** The last one is not removed: the role asks for a second factor, and there is no other. */
  isLast: boolean;
  onChange: () => void;
};

/** One's passkeys: added, named, removed. */
export function Passkeys({ passkeys, unavailable, isLast, onChange }: PasskeysProps) {
  const says = useWords(PASSKEYS);
  const { account } = useTRPCClient();
  const toast = useToast();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const kept = isLast && passkeys.length === 1;
  const actions = (key: Passkey) => (
    <span className="button-row">
      <Button onClick={() => setRenamed(key)}>{says.rename}</Button>
      <Button look="danger" disabled={kept} onClick={() => setRemoved(key)}>
        {says.remove}
      </Button>
    </span>
  );
  const columns: Column<Passkey>[] = [
    { id: "name", header: says.passkey, card: 1, cell: ({ name }) => <Data>{name}</Data> },
    { id: "kept", header: says.kept, card: 2.1, cell: (key) => placeOf(key, says) },
    { id: "added", header: says.added, cell: ({ created_at }) => <Time at={created_at} form="absolute" /> },
    {
      id: "used",
      header: says.lastUsed,
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} form="absolute" /> : says.never),
    },
    { id: "actions", header: "", align: "end", cell: actions, card: 2.2 },
  ];
  return (
    <div className="passkeys">
      <p>{says.what}</p>
      {passkeys.length > 0 && <Table caption={says.yourPasskeys} columns={columns} rows={[...passkeys]} keyOf={({ id }) => id} />}
      {kept && <p className="muted">{says.lastIsKept}</p>}
      {unavailable === null ? (
        <AddPasskey onDone={onChange} />
      ) : (
        <p className="muted" lang="en">
          {unavailable}
        </p>
      )}
      {renamed && <Rename passkey={renamed} onDone={onChange} onClose={() => setRenamed(null)} />}
      {removed && (
        <DeedDialog
          title={says.removeTitle(removed.name)}
          description={says.removeMeans}
          button={says.remove}
          isDanger
          cancel={says.keepIt}
          deed={() => account.removePasskey.mutate({ id: removed.id })}
          onDone={() => {
            toast(says.removed, removed.name);
            onChange();
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  );
}

function placeOf({ syncs, backed_up }: Passkey, says: Says): string {
  if (backed_up) return says.backedUp;
  return syncs ? says.syncs : says.oneDevice;
}

type Form = { name: string };

/** Asks for a name, then has the device make a key; also where two factors are set up for the first time. */
export function AddPasskey({ onDone }: { onDone: () => void }) {
  const says = useWords(PASSKEYS);
  const [sentences, keys] = [useWords(NO_ANSWER), useWords(PASSKEY_SENTENCES)];
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
      toast(says.addedNow, name.trim());
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
        <Button onClick={() => setAsks(true)}>{says.add}</Button>
        <RecoveryCodes codes={codes} onClose={close} />
      </div>
    );
  }
  return (
    <form className="form" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={says.nameOf}
        hint={says.nameHint}
        autoComplete="off"
        maxLength={60}
        autoFocus
        {...(trouble && { error: trouble })}
        {...register("name", { required: true, validate: (name) => name.trim() !== "" })}
      />
      <div className="button-row">
        <Button type="submit" look="primary" pending={formState.isSubmitting}>
          {says.create}
        </Button>
        <Button onClick={() => setAsks(false)}>{says.cancel}</Button>
      </div>
    </form>
  );
}

function Rename({ passkey, onDone, onClose }: { passkey: Passkey; onDone: () => void; onClose: () => void }) {
  const says = useWords(PASSKEYS);
  const { account } = useTRPCClient();
  const [name, setName] = useState(passkey.name);
  return (
    <DeedDialog
      title={says.renameTitle(passkey.name)}
      button={says.rename}
      deed={() => account.renamePasskey.mutate({ id: passkey.id, name: name.trim() })}
      onDone={onDone}
      onClose={onClose}
    >
      <TextField label={says.name} value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
    </DeedDialog>
  );
}
