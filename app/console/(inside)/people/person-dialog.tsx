import { useState } from "react";
import { Select } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Person } from "./answers.ts";
import { ROLES } from "./role-words.ts";
import { type Role, rolesOf } from "./roles.ts";
import { PERSON_DIALOG } from "./words.ts";

export type Mutation = "role" | "disable" | "enable" | "sessions" | "reset";

type Props = { person: Person; mutation: Mutation; onClose: () => void; onChange: () => void };

/** One change of one user, with its consequences. */
export function PersonDialog({ person, mutation, onClose, onChange }: Props) {
  const t = useTranslations(PERSON_DIALOG);
  const roles = useTranslations(ROLES);
  const { people } = useTRPCClient();
  const toast = useToast();
  const [role, setRole] = useState<Role>(person.role);
  const words = t.permissions[mutation];
  const user = { user_id: person.id };
  const change = async (): Promise<unknown> => {
    try {
      if (mutation === "role") return await people.changeRole.mutate({ ...user, role });
      if (mutation === "disable") return await people.disable.mutate(user);
      if (mutation === "enable") return await people.enable.mutate(user);
      if (mutation === "sessions") return await people.endSessions.mutate(user);
      return await people.resetTwoFactors.mutate(user);
    } finally {
      onChange();
    }
  };
  const onDone = (answer: unknown) => {
    if (isProposed(answer)) toast(t.proposed, t.proposedMore(person.name));
    else toast(words.done, mutation === "role" ? t.isNow(person.name, roles[role]) : person.name);
  };
  return (
    <ConfirmDialog
      title={words.title(person.name)}
      description={words.consequence}
      ready={mutation !== "role" || role !== person.role}
      button={words.button}
      isDanger={mutation === "disable" || mutation === "sessions" || mutation === "reset"}
      mutation={change}
      onDone={onDone}
      onClose={onClose}
    >
      {mutation === "role" && (
        <Select
          label={t.role}
          value={role}
          onChange={({ target }) => setRole(rolesOf(sideOf(person), roles).find(({ value }) => value === target.value)?.value ?? role)}
          choices={rolesOf(sideOf(person), roles)}
        />
      )}
    </ConfirmDialog>
  );
}

function sideOf({ partner }: Person): "operator" | "partner" {
  return partner === null ? "operator" : "partner";
}

/** A role that decides waits for another admin in live mode. */
function isProposed(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "proposal_id" in answer && answer.proposal_id !== null;
}
