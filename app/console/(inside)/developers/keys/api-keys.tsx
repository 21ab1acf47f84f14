"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { type OneTimeSecret, SecretOnce } from "../../../_components/dialogs/secret-once.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Empty, ErrorState, Skeleton, Stale } from "../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { Key } from "./answers.ts";
import { KeyTable } from "./key-table.tsx";
import { API_KEYS } from "./words.ts";

const CreateKeyDialog = lazyComponent(() => import("./create-key-dialog.tsx").then(({ CreateKeyDialog: Loaded }) => Loaded));
const RevokeKeyDialog = lazyComponent(() => import("./revoke-key-dialog.tsx").then(({ RevokeKeyDialog: Loaded }) => Loaded));
const RotateKeyDialog = lazyComponent(() => import("./rotate-key-dialog.tsx").then(({ RotateKeyDialog: Loaded }) => Loaded));

type Asked = { what: "create" } | { what: "rotate" | "revoke"; key: Key } | null;

/** The keys of a partner, or with null the operator's own. Shown to everybody with read access; the service decides who may change them. */
export function ApiKeys({ partnerId }: { partnerId: string | null }) {
  const t = useTranslations(API_KEYS);
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
  if (!keys.data) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />;
  const { data, total, may_change: mayChange, mode } = keys.data;
  const act = mayChange ? (what: "rotate" | "revoke", key: Key) => setAsked({ what, key }) : null;
  const create = mayChange && (
    <Button icon={Plus} look="primary" onClick={() => setAsked({ what: "create" })}>
      {t.createKey}
    </Button>
  );
  return (
    <Section title={t.keys} aside={create}>
      {keys.error && <Stale since={keys.dataUpdatedAt} error={keys.error} onRetry={() => void keys.refetch()} />}
      {data.length === 0 ? (
        <Empty title={t.none} more={mayChange ? t.noneMayCreate : t.noneOwnerCreates} />
      ) : (
        <KeyTable caption={t.inForce} keys={data} now={keys.data.now} mode={mode} onAct={act} onEnded={reload} />
      )}
      {total > data.length && <p className="muted small">{t.newest(data.length, total)}</p>}
      <details onToggle={({ currentTarget }) => setShowEnded(currentTarget.open)}>
        <summary>{t.endedKeys}</summary>
        {showEnded && ended.isPending && <Skeleton rows={2} />}
        {ended.isError && <ErrorState error={ended.error} compact onRetry={() => void ended.refetch()} />}
        {ended.data?.data.length === 0 && <p className="muted">{t.noneEnded}</p>}
        {ended.data && ended.data.data.length > 0 && (
          <KeyTable caption={t.endedCaption} keys={ended.data.data} now={ended.data.now} mode={mode} onAct={null} onEnded={() => {}} />
        )}
      </details>
      {asked?.what === "create" && <CreateKeyDialog partnerId={partnerId} mode={mode} onClose={close} onIssued={once} />}
      {asked?.what === "rotate" && <RotateKeyDialog apiKey={asked.key} onClose={close} onIssued={once} />}
      {asked?.what === "revoke" && <RevokeKeyDialog apiKey={asked.key} onClose={close} onRevoked={reload} />}
      <SecretOnce secret={secret} onClose={() => setSecret(null)} />
    </Section>
  );
}
