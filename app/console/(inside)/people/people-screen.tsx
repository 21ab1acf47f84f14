"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { NoMatch, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { Invitations } from "./invitations.tsx";
import type { Side } from "./invite-dialog.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PermissionMatrix } from "./permission-matrix.tsx";
import { PEOPLE_SCREEN } from "./words.ts";

const InviteDialog = lazyComponent(() => import("./invite-dialog.tsx").then(({ InviteDialog: Loaded }) => Loaded));

type Partner = { id: string; name: string };

/** Events that change a row. Sign-ins and sign-outs, which are frequent, do not trigger a refetch. */
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
  "user.passkey_added",
  "user.device_confirmed",
]);

/** Users, invitations and what each role may do: for the operator's admins, and for a partner's owners. */
export function PeopleScreen({ title, own, self, partners }: { title: string; own: Side; self: string; partners: readonly Partner[] }) {
  const t = useTranslations(PEOPLE_SCREEN);
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
            {t.invite}
          </Button>
        }
      />
      <div className="people-filter">
        {own.kind === "operator" && (
          <Select
            label={t.whose}
            value={of}
            onChange={({ target }) => setOf(target.value)}
            choices={[
              { value: "operator", label: t.ofOperator },
              { value: "partners", label: t.ofPartners },
              ...partners.map(({ id, name }) => ({ value: id, label: t.ofOne(name) })),
            ]}
          />
        )}
        <TextField label={t.find} placeholder={t.findHint} type="search" value={text} onChange={({ target }) => setText(target.value)} />
      </div>
      <QueryBoundary of={list} waiting={<Skeleton rows={4} />}>
        {({ people, more, invitations }) => (
          <>
            {people.length === 0 ? (
              <NoMatch {...(sought && { onClear: () => setText("") })}>{sought ? <p>{t.noneFound(sought)}</p> : <p>{t.none}</p>}</NoMatch>
            ) : (
              <PeopleTable people={people} self={self} onChange={refresh} showPartner={of === "partners" && own.kind === "operator"} />
            )}
            {more && <p className="muted">{t.more}</p>}
            {invitations.length > 0 && <Invitations invitations={invitations} onChange={refresh} />}
          </>
        )}
      </QueryBoundary>
      <Section title={t.whatEachRoleMayDo}>
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
