import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import type { Invitation } from "./answers.ts";
import { ROLE_WORDS } from "./roles.ts";

/** Links that were given out and not followed. Nobody can show one again: a lost one is replaced by inviting anew. */
export function Invitations({ invitations, onChange }: { invitations: readonly Invitation[]; onChange: () => void }) {
  const { people } = useTRPCClient();
  const toast = useToast();
  const { run, pending, error } = useDeed();
  const [ending, setEnding] = useState<string | null>(null);
  const end = ({ id, email }: Invitation) => {
    setEnding(id);
    void run(
      () => people.withdraw.mutate({ invitation_id: id }).finally(onChange),
      () => toast("Invitation withdrawn", email),
    );
  };
  const action = (invitation: Invitation) => (
    <Button
      look="danger"
      pending={pending && ending === invitation.id}
      onClick={() => end(invitation)}
      aria-label={`Withdraw the invitation of ${invitation.email}`}
    >
      Withdraw
    </Button>
  );
  const columns: Column<Invitation>[] = [
    { id: "email", header: "E-mail address", cell: ({ email }) => email, inCard: ({ email }) => <strong>{email}</strong>, card: 1 },
    {
      ...{ id: "role", header: "Role", card: 2.1 },
      cell: ({ role, partner }) => (partner ? `${ROLE_WORDS[role]}, ${partner.name}` : ROLE_WORDS[role]),
    },
    {
      id: "by",
      header: "Invited by",
      cell: ({ invited_by }) => invited_by,
      inCard: ({ invited_by }) => `by ${invited_by}`,
      card: 3.1,
      aside: true,
    },
    { id: "until", header: "Link works until", cell: Until, card: 2.2 },
    { id: "withdraw", header: "", align: "end", cell: action, card: 3.2 },
  ];
  return (
    <Section title="Invited">
      {error !== null && <Refused error={error} />}
      <Table caption="Invitations" columns={columns} rows={invitations} keyOf={({ id }) => id} />
    </Section>
  );
}

function Until({ expires_at, lapsed }: Pick<Invitation, "expires_at" | "lapsed">) {
  return lapsed ? <span className="muted">Has run out</span> : <Time at={expires_at} form="absolute" />;
}
