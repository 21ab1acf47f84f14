"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/time.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { Section } from "../../_components/frame/page-header.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { signOut } from "../../_format/sign-in.ts";
import { useTRPC } from "../../_trpc/client.ts";

type Session = { id: string; current: boolean; created_at: string; last_seen_at: string; address: string; user_agent: string | null };

/** Where one is signed in, and how to end it there: effective with the very next call. */
export function Sessions() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const list = useQuery(trpc.session.list.queryOptions());
  const end = useMutation(
    trpc.session.end.mutationOptions({
      onSuccess: (_, { session_id }) => {
        toast("Session ended", deviceOf(list.data?.find(({ id }) => id === session_id)?.user_agent ?? null));
        void queries.invalidateQueries({ queryKey: trpc.session.list.queryKey() });
      },
    }),
  );
  const close = (session: Session) => (session.current ? void signOut() : end.mutate({ session_id: session.id }));
  const action = (session: Session) => (
    <Button look="danger" pending={end.isPending && end.variables.session_id === session.id} onClick={() => close(session)}>
      {session.current ? "Sign out" : "End"}
    </Button>
  );
  const columns: Column<Session>[] = [
    { id: "device", header: "Browser", cell: ({ user_agent, current }) => <Device name={deviceOf(user_agent)} current={current} /> },
    { id: "address", header: "Address", cell: ({ address }) => address },
    { id: "created", header: "Signed in", cell: ({ created_at }) => <RealTime at={created_at} /> },
    { id: "seen", header: "Last used", cell: ({ last_seen_at }) => <RealTime at={last_seen_at} /> },
    { id: "end", header: "", align: "end", cell: action },
  ];
  if (list.isPending) return <Skeleton rows={2} />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <Section title="Signed in at">
      {end.error && <Refused error={end.error} />}
      <Table
        caption="Where you are signed in"
        columns={columns}
        rows={list.data}
        keyOf={({ id }) => id}
        card={(session) => (
          <>
            <Device name={deviceOf(session.user_agent)} current={session.current} />
            <div className="card-line">
              <span className="muted">{session.address}</span>
              {action(session)}
            </div>
          </>
        )}
      />
    </Section>
  );
}

function Device({ name, current }: { name: string; current: boolean }) {
  return (
    <span>
      {name}
      {current && <span className="muted"> (this one)</span>}
    </span>
  );
}

/** Sessions live in real time, not in the sandbox's: told as an instant, never as "ago". */
function RealTime({ at }: { at: string }) {
  return <Time at={at} form="absolute" />;
}

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrom(?:e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

/** What a browser calls itself, in two words that its owner knows. */
function deviceOf(userAgent: string | null): string {
  const find = (known: readonly [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const words = [find(BROWSERS), find(SYSTEMS)].filter((word) => word !== undefined);
  return words.length === 0 ? "An unknown browser" : words.join(" on ");
}
