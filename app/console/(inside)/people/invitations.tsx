import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import type { Invitation } from "./answers.ts";
import { INVITATIONS, ROLES } from "./words.ts";

/** Links that were given out and not followed. Nobody can show one again: a lost one is replaced by inviting anew. */
export function Invitations({ invitations, onChange }: { invitations: readonly Invitation[]; onChange: () => void }) {
  const says = useWords(INVITATIONS);
  const roles = useWords(ROLES);
  const { people } = useTRPCClient();
  const toast = useToast();
  const { run, pending, error } = useDeed();
  const [ending, setEnding] = useState<string | null>(null);
  const end = ({ id, email }: Invitation) => {
    setEnding(id);
    void run(
      () => people.withdraw.mutate({ invitation_id: id }).finally(onChange),
      () => toast(says.withdrawn, email),
    );
  };
  const action = (invitation: Invitation) => (
    <Button
      look="danger"
      pending={pending && ending === invitation.id}
      onClick={() => end(invitation)}
      aria-label={says.withdrawOf(invitation.email)}
    >
      {says.withdraw}
    </Button>
  );
  const columns: Column<Invitation>[] = [
    {
      id: "email",
      header: says.eMailAddress,
      cell: ({ email }) => <Data>{email}</Data>,
      inCard: ({ email }) => <strong translate="no">{email}</strong>,
      card: 1,
    },
    {
      ...{ id: "role", header: says.role, card: 2.1 },
      cell: ({ role, partner }) => (partner ? says.roleAt(roles[role], partner.name) : roles[role]),
    },
    {
      id: "by",
      header: says.invitedBy,
      cell: ({ invited_by }) => <Data>{invited_by}</Data>,
      inCard: ({ invited_by }) => says.by(invited_by),
      card: 3.1,
      aside: true,
    },
    { id: "until", header: says.linkWorksUntil, cell: (invitation) => <Until {...invitation} />, card: 2.2 },
    { id: "withdraw", header: "", align: "end", cell: action, card: 3.2 },
  ];
  return (
    <Section title={says.title}>
      {error !== null && <Refused error={error} />}
      <Table caption={says.caption} columns={columns} rows={invitations} keyOf={({ id }) => id} />
    </Section>
  );
}

function Until({ expires_at, lapsed }: Pick<Invitation, "expires_at" | "lapsed">) {
  const says = useWords(INVITATIONS);
  return lapsed ? <span className="muted">{says.runOut}</span> : <Time at={expires_at} form="absolute" />;
}
