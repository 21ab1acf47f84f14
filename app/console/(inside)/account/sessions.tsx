"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { browserOf } from "../../_format/browser.ts";
import { signOut } from "../../_format/sign-in.ts";
import { BROWSER_WORDS } from "../../_format/words.ts";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { NotMe } from "./not-me.tsx";
import { SESSIONS } from "./words.ts";

type Session = { id: string; current: boolean; created_at: string; last_seen_at: string; address: string; user_agent: string | null };

/** Where the user is signed in, and how to end it there. It takes effect with the next call. */
export function Sessions() {
  const [t, browsers] = [useTranslations(SESSIONS), useTranslations(BROWSER_WORDS)];
  const trpc = useTRPC();
  const refresh = useRefresh(trpc.session.list.queryKey());
  const toast = useToast();
  const list = useQuery(trpc.session.list.queryOptions());
  const end = useMutation(
    trpc.session.end.mutationOptions({
      onSuccess: (_, { session_id }) => {
        toast(t.sessionEnded, browserOf(list.data?.find(({ id }) => id === session_id)?.user_agent ?? null, browsers));
        refresh();
      },
    }),
  );
  const close = (session: Session) => (session.current ? void signOut() : end.mutate({ session_id: session.id }));
  const action = (session: Session) => (
    <Button pending={end.isPending && end.variables.session_id === session.id} onClick={() => close(session)}>
      {session.current ? t.signOut : t.end}
    </Button>
  );
  const columns: Column<Session>[] = [
    {
      id: "device",
      header: t.browser,
      card: 1,
      cell: ({ user_agent, current }) => (
        <span>
          <Data>{browserOf(user_agent, browsers)}</Data>
          {current && <span className="muted"> {t.current}</span>}
        </span>
      ),
    },
    { id: "address", header: t.address, cell: ({ address }) => <Data>{address}</Data>, card: 2.1, aside: true },
    // Sessions use real time, not the sandbox's, so this shows instants and never "ago".
    { id: "created", header: t.signedIn, cell: ({ created_at }) => <Time at={created_at} form="absolute" /> },
    { id: "seen", header: t.lastUsed, cell: ({ last_seen_at }) => <Time at={last_seen_at} form="absolute" /> },
    { id: "end", header: "", align: "end", cell: action, card: 2.2 },
  ];
  if (list.isPending) return <Skeleton rows={2} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <Section title={t.title}>
      {end.error && <Refused error={end.error} />}
      <Table caption={t.caption} columns={columns} rows={list.data} keyOf={({ id }) => id} />
      <RefusedSignIns />
      <NotMe />
    </Section>
  );
}

/** Failed sign-ins under the user's name. A user who does not recognise one should change the password. */
function RefusedSignIns() {
  const t = useTranslations(SESSIONS);
  const trpc = useTRPC();
  const refused = useQuery(trpc.account.security.queryOptions()).data?.refused_sign_ins ?? [];
  if (refused.length === 0) return null;
  return (
    <details>
      <summary>{refused.length === 1 ? t.refusedOne : t.refusedMany(refused.length)}</summary>
      <p className="muted">{t.refusedExplained}</p>
      <ul aria-label={t.refused}>
        {refused.map(({ at, wrong, address }) => (
          <li key={`${at} ${address} ${wrong}`}>
            <Trans
              sentence={t.refusedOneOf}
              what={<Data>{wrong}</Data>}
              address={<Data>{address}</Data>}
              time={<Time at={at} form="absolute" />}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
