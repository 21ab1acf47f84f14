import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { Invitation } from "./answers.ts";
import { ROLES } from "./role-words.ts";
import { INVITATIONS } from "./words.ts";

/** Unused invitation links. Nobody can show a link again: a lost one is replaced by a new invitation. */
export function Invitations({ invitations, onChange }: { invitations: readonly Invitation[]; onChange: () => void }) {
  const t = useTranslations(INVITATIONS);
  const roles = useTranslations(ROLES);
  const { people } = useTRPCClient();
  const toast = useToast();
  const { run, pending, error } = useConfirmedMutation();
  const [ending, setEnding] = useState<string | null>(null);
  const end = ({ id, email }: Invitation) => {
    setEnding(id);
    void run(
      () => people.withdraw.mutate({ invitation_id: id }).finally(onChange),
      () => toast(t.withdrawn, email),
    );
  };
  const action = (invitation: Invitation) => (
    <Button
      look="danger"
      pending={pending && ending === invitation.id}
      onClick={() => end(invitation)}
      aria-label={t.withdrawOf(invitation.email)}
    >
      {t.withdraw}
    </Button>
  );
  const columns: Column<Invitation>[] = [
    {
      id: "email",
      header: t.eMailAddress,
      cell: ({ email }) => <Data>{email}</Data>,
      inCard: ({ email }) => <strong translate="no">{email}</strong>,
      card: 1,
    },
    {
      id: "role",
      header: t.role,
      card: 2.1,
      cell: ({ role, partner }) => (partner ? t.roleAt(roles[role], partner.name) : roles[role]),
    },
    {
      id: "by",
      header: t.invitedBy,
      cell: ({ invited_by }) => <Data>{invited_by}</Data>,
      inCard: ({ invited_by }) => t.by(invited_by),
      card: 3.1,
      aside: true,
    },
    { id: "until", header: t.linkWorksUntil, cell: (invitation) => <Until {...invitation} />, card: 2.2 },
    { id: "withdraw", header: "", align: "end", cell: action, card: 3.2 },
  ];
  return (
    <Section title={t.title}>
      {error !== null && <Refused error={error} />}
      <Table caption={t.caption} columns={columns} rows={invitations} keyOf={({ id }) => id} />
    </Section>
  );
}

function Until({ expires_at, lapsed }: Pick<Invitation, "expires_at" | "lapsed">) {
  const t = useTranslations(INVITATIONS);
  return lapsed ? <span className="muted">{t.expired}</span> : <Time at={expires_at} form="absolute" />;
}
