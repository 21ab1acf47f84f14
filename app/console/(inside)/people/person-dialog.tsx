import { useState } from "react";
import { Select } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import type { Person } from "./answers.ts";
import { type Role, rolesOf } from "./roles.ts";
import { PERSON_DIALOG, ROLES } from "./words.ts";

export type Deed = "role" | "disable" | "enable" | "reset";

type Props = { person: Person; deed: Deed; onClose: () => void; onChange: () => void };

/** One change of one person, with what follows from it. */
export function PersonDialog({ person, deed, onClose, onChange }: Props) {
  const says = useWords(PERSON_DIALOG);
  const roles = useWords(ROLES);
  const { people } = useTRPCClient();
  const toast = useToast();
  const [role, setRole] = useState<Role>(person.role);
  const words = says.deeds[deed];
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
    if (isProposed(answer)) toast(says.proposed, says.proposedMore(person.name));
    else toast(words.done, deed === "role" ? says.isNow(person.name, roles[role]) : person.name);
  };
  return (
    <DeedDialog
      title={words.title(person.name)}
      description={words.consequence}
      ready={deed !== "role" || role !== person.role}
      button={words.button}
      isDanger={deed === "disable" || deed === "reset"}
      deed={change}
      {...{ onDone, onClose }}
    >
      {deed === "role" && (
        <Select
          label={says.role}
          value={role}
          onChange={({ target }) => setRole(rolesOf(sideOf(person), roles).find(({ value }) => value === target.value)?.value ?? role)}
          choices={rolesOf(sideOf(person), roles)}
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
