"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { type OneTimeSecret, SecretOnce } from "../../../_components/dialogs/secret-once.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Empty, Skeleton, Stale, Trouble } from "../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import type { Key } from "./answers.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyTable } from "./key-table.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

type Asked = { what: "create" } | { what: "rotate" | "revoke"; key: Key } | null;

/** The keys of a partner, or with null the operator's own: looking for everybody who may read, changing for whom the service lets. */
export function ApiKeys({ partnerId }: { partnerId: string | null }) {
  const trpc = useTRPC();
  const [asked, setAsked] = useState<Asked>(null);
  const [secret, setSecret] = useState<OneTimeSecret | null>(null);
  const [showEnded, setShowEnded] = useState(false);
  const keys = useQuery(trpc.developers.keys.queryOptions({ partner_id: partnerId }));
  const ended = useQuery(trpc.developers.keys.queryOptions({ partner_id: partnerId, ended: true }, { enabled: showEnded }));
  const reload = useRefresh(trpc.developers.keys.queryKey());
  useLiveChanges(({ action }) => action.startsWith("api_key."), reload);
  const once = (issued: OneTimeSecret) => {
    setSecret(issued);
    reload();
  };
  const close = () => setAsked(null);
  if (keys.isPending) return <Skeleton rows={3} />;
  if (!keys.data) return <Trouble error={keys.error} onRetry={() => void keys.refetch()} />;
  const { data, total, may_change: mayChange, mode } = keys.data;
  const act = mayChange ? (what: "rotate" | "revoke", key: Key) => setAsked({ what, key }) : null;
  const create = mayChange && (
    <Button icon={Plus} look="primary" onClick={() => setAsked({ what: "create" })}>
      Create key
    </Button>
  );
  return (
    <Section title="Keys" aside={create}>
      {keys.error && <Stale since={keys.dataUpdatedAt} error={keys.error} onRetry={() => void keys.refetch()} />}
      {data.length === 0 ? (
        <Empty title="No key in force">
          <p>{mayChange ? "Create one to send the first signed request." : "An owner creates the first one."}</p>
        </Empty>
      ) : (
        <KeyTable caption="API keys in force" keys={data} now={keys.data.now} mode={mode} onAct={act} onEnded={reload} />
      )}
      {total > data.length && (
        <p className="muted small">
          The newest {data.length} of {total}.
        </p>
      )}
      <details onToggle={({ currentTarget }) => setShowEnded(currentTarget.open)}>
        <summary>Ended keys</summary>
        {showEnded && ended.isPending && <Skeleton rows={2} />}
        {ended.isError && <Trouble error={ended.error} compact onRetry={() => void ended.refetch()} />}
        {ended.data?.data.length === 0 && <p className="muted">None has ended.</p>}
        {ended.data && ended.data.data.length > 0 && (
          <KeyTable caption="Ended API keys" keys={ended.data.data} now={ended.data.now} mode={mode} onAct={null} onEnded={() => {}} />
        )}
      </details>
      {asked?.what === "create" && <CreateKeyDialog partnerId={partnerId} mode={mode} onClose={close} onIssued={once} />}
      {asked?.what === "rotate" && <RotateKeyDialog apiKey={asked.key} onClose={close} onIssued={once} />}
      {asked?.what === "revoke" && <RevokeKeyDialog apiKey={asked.key} onClose={close} onRevoked={reload} />}
      <SecretOnce secret={secret} onClose={() => setSecret(null)} />
    </Section>
  );
}
