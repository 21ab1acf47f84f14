"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import type { Person } from "./answers.ts";
import { ROLE_WORDS, type Role, rolesOf } from "./roles.ts";

export type Deed = "role" | "disable" | "enable" | "reset";
type Chosen = { person: Person; deed: Deed };

const WORDS: Record<Deed, { title: (name: string) => string; consequence: string; button: string; done: string; isDanger: boolean }> = {
  role: {
    title: (name) => `Change the role of ${name}`,
    consequence: "It holds from their very next click. What they have invited others to is withdrawn.",
    button: "Change role",
    done: "Role changed",
    isDanger: false,
  },
  disable: {
    title: (name) => `Shut ${name} out?`,
    consequence:
      "All their sessions end at once, and they cannot sign in. What they did stays in the audit log. You can let them in again.",
    button: "Shut out",
    done: "Shut out",
    isDanger: true,
  },
  enable: {
    title: (name) => `Let ${name} in again?`,
    consequence: "They sign in with the password and the second factor that they had.",
    button: "Let in again",
    done: "Let in again",
    isDanger: false,
  },
  reset: {
    title: (name) => `Reset two factors of ${name}?`,
    consequence:
      "For who has lost phone and recovery codes. The password alone signs them in then, so make sure by another way that it is them who asks. All their sessions end.",
    button: "Reset two factors",
    done: "Two factors reset",
    isDanger: true,
  },
};

/** One change of one person, with what follows from it. */
export function PersonDialog({ chosen, onClose, onChange }: { chosen: Chosen | null; onClose: () => void; onChange: () => void }) {
  const [shown, setShown] = useState(chosen);
  useEffect(() => {
    if (chosen !== null) setShown(chosen);
  }, [chosen]);
  const words = WORDS[shown?.deed ?? "role"];
  return (
    <Dialog
      open={chosen !== null}
      onOpenChange={(open) => !open && onClose()}
      title={words.title(shown?.person.name ?? "")}
      description={words.consequence}
    >
      {chosen && <Change key={`${chosen.person.id} ${chosen.deed}`} chosen={chosen} onClose={onClose} onChange={onChange} />}
    </Dialog>
  );
}

function Change({ chosen: { person, deed }, onClose, onChange }: { chosen: Chosen; onClose: () => void; onChange: () => void }) {
  const trpc = useTRPC();
  const guarded = useStepUp();
  const toast = useToast();
  const [role, setRole] = useState<Role>(person.role);
  const changeRole = useMutation(trpc.people.changeRole.mutationOptions());
  const disable = useMutation(trpc.people.disable.mutationOptions());
  const enable = useMutation(trpc.people.enable.mutationOptions());
  const reset = useMutation(trpc.people.resetTwoFactors.mutationOptions());
  const one = { user_id: person.id };
  const deeds: Record<Deed, { pending: boolean; error: unknown; run: () => Promise<unknown> }> = {
    role: { pending: changeRole.isPending, error: changeRole.error, run: () => changeRole.mutateAsync({ ...one, role }) },
    disable: { pending: disable.isPending, error: disable.error, run: () => disable.mutateAsync(one) },
    enable: { pending: enable.isPending, error: enable.error, run: () => enable.mutateAsync(one) },
    reset: { pending: reset.isPending, error: reset.error, run: () => reset.mutateAsync(one) },
  };
  const { pending, error, run } = deeds[deed];
  const words = WORDS[deed];
  const submit = () =>
    void guarded(run).then(
      (answer) => {
        if (deed === "role" && isProposed(answer)) toast("Proposed", `${person.name} has the role once another admin has confirmed it.`);
        else toast(words.done, deed === "role" ? `${person.name} is ${ROLE_WORDS[role].toLowerCase()} now` : person.name);
        onChange();
        onClose();
      },
      // It stays where it went wrong; what may have changed meanwhile is read anew.
      onChange,
    );
  return (
    <>
      {deed === "role" && (
        <Select
          label="Role"
          value={role}
          onChange={({ target }) => setRole(rolesOf(sideOf(person)).find(({ value }) => value === target.value)?.value ?? role)}
          choices={rolesOf(sideOf(person))}
        />
      )}
      {error !== null && error !== undefined && refusalOf(error)?.code !== "step_up_required" && <Refused error={error} />}
      <div className="form-buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look={words.isDanger ? "danger" : "primary"}
          pending={pending}
          disabled={deed === "role" && role === person.role}
          onClick={submit}
        >
          {words.button}
        </Button>
      </div>
    </>
  );
}

function sideOf({ partner }: Person): "operator" | "partner" {
  return partner === null ? "operator" : "partner";
}

/** A role that decides waits for another admin in live mode. */
function isProposed(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "proposal_id" in answer && answer.proposal_id !== null;
}
