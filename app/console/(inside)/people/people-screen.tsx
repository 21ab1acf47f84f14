"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Answered, NoMatch, Skeleton } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog, type Side } from "./invite-dialog.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PermissionMatrix } from "./permission-matrix.tsx";

type Partner = { id: string; name: string };

/** What a row shows. People sign in and out all day: for that nothing is read anew. */
const SHOWN_CHANGES = new Set([
  "user.joined",
  "user.created",
  "user.renamed",
  "user.role_changed",
  "user.disabled",
  "user.enabled",
  "user.two_factors_on",
  "user.two_factors_off",
  "user.two_factors_reset",
]);

/** Who may sign in, who is invited to, and what each role may do: for the operator's admins, and for a partner's owners. */
export function PeopleScreen({ title, own, self, partners }: { title: string; own: Side; self: string; partners: readonly Partner[] }) {
  const trpc = useTRPC();
  const [of, setOf] = useState<string>("operator");
  const [text, setText] = useState("");
  const [inviting, setInviting] = useState(false);
  const sought = useDeferredValue(text.trim());
  const filter = { ...(own.kind === "operator" && { of }), ...(sought && { text: sought }) };
  const list = useAnswer(useQuery(trpc.people.list.queryOptions(filter, { placeholderData: keepPreviousData })));
  const refresh = useRefresh(trpc.people.list.queryKey());
  useLiveChanges(({ action }) => action.startsWith("invitation.") || SHOWN_CHANGES.has(action), refresh);
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
      />
      <div className="people-filter">
        {own.kind === "operator" && (
          <Select
            label="Whose"
            value={of}
            onChange={({ target }) => setOf(target.value)}
            choices={[
              { value: "operator", label: "The operator's people" },
              { value: "partners", label: "All partners' people" },
              ...partners.map(({ id, name }) => ({ value: id, label: `${name}'s people` })),
            ]}
          />
        )}
        <TextField
          label="Find"
          placeholder="Name or e-mail address"
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <Answered of={list} waiting={<Skeleton rows={4} />}>
        {({ people, more, invitations }) => (
          <>
            {people.length === 0 ? (
              <NoMatch {...(sought && { onClear: () => setText("") })}>
                {sought ? <p>Nobody here has “{sought}” in name or address.</p> : <p>Nobody signs in on this side yet. Invite somebody.</p>}
              </NoMatch>
            ) : (
              <PeopleTable people={people} self={self} onChange={refresh} showPartner={of === "partners" && own.kind === "operator"} />
            )}
            {more && <p className="muted">These are the first hundred by name: search to narrow them down.</p>}
            {invitations.length > 0 && <Invitations invitations={invitations} onChange={refresh} />}
          </>
        )}
      </Answered>
      <Section title="What each role may do">
        <PermissionMatrix />
      </Section>
      <InviteDialog
        open={inviting}
        onOpenChange={setInviting}
        onInvited={refresh}
        own={own}
        partners={partners}
        preset={of === "operator" || of === "partners" ? null : of}
      />
    </>
  );
}
