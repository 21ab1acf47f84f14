import { useState } from "react";
import { Select } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import type { Person } from "./answers.ts";
import { ROLE_WORDS, type Role, rolesOf } from "./roles.ts";

export type Deed = "role" | "disable" | "enable" | "reset";

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

type Props = { person: Person; deed: Deed; onClose: () => void; onChange: () => void };

/** One change of one person, with what follows from it. */
export function PersonDialog({ person, deed, onClose, onChange }: Props) {
  const { people } = useTRPCClient();
  const toast = useToast();
  const [role, setRole] = useState<Role>(person.role);
  const words = WORDS[deed];
  const user = { user_id: person.id };
  const change = async (): Promise<unknown> => {
    try {
      if (deed === "role") return await people.changeRole.mutate({ ...user, role });
      if (deed === "disable") return await people.disable.mutate(user);
      if (deed === "enable") return await people.enable.mutate(user);
      return await people.resetTwoFactors.mutate(user);
    } finally {
      onChange();
    }
  };
  const onDone = (answer: unknown) => {
    if (isProposed(answer)) toast("Proposed", `${person.name} has the role once another admin has confirmed it.`);
    else toast(words.done, deed === "role" ? `${person.name} is ${ROLE_WORDS[role].toLowerCase()} now` : person.name);
  };
  return (
    <DeedDialog
      title={words.title(person.name)}
      description={words.consequence}
      ready={deed !== "role" || role !== person.role}
      button={words.button}
      isDanger={words.isDanger}
      deed={change}
      {...{ onDone, onClose }}
    >
      {deed === "role" && (
        <Select
          label="Role"
          value={role}
          onChange={({ target }) => setRole(rolesOf(sideOf(person)).find(({ value }) => value === target.value)?.value ?? role)}
          choices={rolesOf(sideOf(person))}
        />
      )}
    </DeedDialog>
  );
}

function sideOf({ partner }: Person): "operator" | "partner" {
  return partner === null ? "operator" : "partner";
}

/** A role that decides waits for another admin in live mode. */
function isProposed(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "proposal_id" in answer && answer.proposal_id !== null;
}
