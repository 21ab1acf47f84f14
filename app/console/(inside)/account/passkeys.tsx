import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { makeKey, passkeySentence } from "../../_format/passkeys.ts";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

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
  const { account } = useTRPCClient();
  const toast = useToast();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const kept = isLast && passkeys.length === 1;
  const actions = (key: Passkey) => (
    <span className="button-row">
      <Button onClick={() => setRenamed(key)}>Rename</Button>
      <Button look="danger" disabled={kept} onClick={() => setRemoved(key)}>
        Remove
      </Button>
    </span>
  );
  const columns: Column<Passkey>[] = [
    { id: "name", header: "Passkey", card: 1, cell: ({ name }) => name },
    { id: "kept", header: "Kept", card: 2.1, cell: placeOf },
    { id: "added", header: "Added", cell: ({ created_at }) => <Time at={created_at} form="absolute" /> },
    { id: "used", header: "Last used", cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} form="absolute" /> : "Never") },
    { id: "actions", header: "", align: "end", cell: actions, card: 2.2 },
  ];
  return (
    <div className="passkeys">
      <p>A passkey is your fingerprint, face or PIN, or a security key: it signs in place of a code, and only ever for this address.</p>
      {passkeys.length > 0 && <Table caption="Your passkeys" columns={columns} rows={[...passkeys]} keyOf={({ id }) => id} />}
      {kept && <p className="muted">Your role asks for two factors: add another one before you remove the last.</p>}
      {unavailable === null ? <AddPasskey onDone={onChange} /> : <p className="muted">{unavailable}</p>}
      {renamed && <Rename passkey={renamed} onDone={onChange} onClose={() => setRenamed(null)} />}
      {removed && (
        <DeedDialog
          title={`Remove the passkey “${removed.name}”?`}
          description="From now on it proves nothing here. The device still shows it until you delete it there."
          button="Remove"
          isDanger
          cancel="Keep it"
          deed={() => account.removePasskey.mutate({ id: removed.id })}
          onDone={() => {
            toast("Passkey removed", removed.name);
            onChange();
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  );
}

function placeOf({ syncs, backed_up }: Passkey): string {
  if (backed_up) return "Backed up by its maker";
  return syncs ? "May be copied to your devices" : "In one device alone";
}

type Form = { name: string };

/** Asks for a name, then has the device make a key; also where two factors are set up for the first time. */
export function AddPasskey({ onDone }: { onDone: () => void }) {
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
      toast("Passkey added", name.trim());
      if (recovery_codes === null) onDone();
      else setCodes(recovery_codes);
    } catch (error) {
      setTrouble(passkeySentence(error) ?? sentenceOf(error));
    }
  });
  const close = () => {
    setCodes(null);
    onDone();
  };
  if (!asks) {
    return (
      <div>
        <Button onClick={() => setAsks(true)}>Add a passkey</Button>
        <RecoveryCodes codes={codes} onClose={close} />
      </div>
    );
  }
  return (
    <form className="form" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="Name of the passkey"
        hint="Where it is kept: “Work laptop”, “Blue security key”"
        autoComplete="off"
        maxLength={60}
        autoFocus
        {...(trouble && { error: trouble })}
        {...register("name", { required: true, validate: (name) => name.trim() !== "" })}
      />
      <div className="button-row">
        <Button type="submit" look="primary" pending={formState.isSubmitting}>
          Create the passkey
        </Button>
        <Button onClick={() => setAsks(false)}>Cancel</Button>
      </div>
    </form>
  );
}

function Rename({ passkey, onDone, onClose }: { passkey: Passkey; onDone: () => void; onClose: () => void }) {
  const { account } = useTRPCClient();
  const [name, setName] = useState(passkey.name);
  return (
    <DeedDialog
      title={`Rename “${passkey.name}”`}
      button="Rename"
      deed={() => account.renamePasskey.mutate({ id: passkey.id, name: name.trim() })}
      onDone={onDone}
      onClose={onClose}
    >
      <TextField label="Name" value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
    </DeedDialog>
  );
}
