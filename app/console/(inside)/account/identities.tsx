"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { QueryBoundary } from "../../_components/lists/list-states.tsx";
import { Table } from "../../_components/lists/table.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { IDENTITIES } from "./words.ts";

type Identity = { id: string; provider: string };

/** The company identities that a person signs in with, and the providers that can be linked. Shown only where there are any. */
export function Identities() {
  const t = useTranslations(IDENTITIES);
  const { identity } = useTRPCClient();
  const trpc = useTRPC();
  const own = useQuery(trpc.identity.own.queryOptions());
  const refresh = useRefresh(trpc.identity.own.queryKey());
  const toast = useToast();
  const { run, pending, error } = useConfirmedMutation();
  const [unlinked, setUnlinked] = useState<Identity | null>(null);
  if (own.data?.providers.length === 0 && own.data.identities.length === 0) return null;
  const link = (id: string) =>
    run(
      () => identity.beginLink.mutate({ provider_id: id }),
      ({ path }) => window.location.assign(path),
    );
  return (
    <Section title={t.title}>
      <p className="muted">{t.explained}</p>
      <QueryBoundary of={own} compact>
        {({ identities, providers }) => (
          <>
            {identities.length > 0 && (
              <Table
                caption={t.title}
                rows={identities}
                keyOf={({ id }) => id}
                columns={[
                  { id: "provider", header: t.provider, card: 1.1, cell: ({ provider }) => <Data>{provider}</Data> },
                  { id: "linked", header: t.linked, card: 2.1, cell: ({ created_at }) => <Time at={created_at} form="absolute" /> },
                  {
                    id: "used",
                    header: t.lastUsed,
                    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} form="absolute" /> : t.never),
                  },
                  {
                    id: "actions",
                    header: "",
                    align: "end",
                    card: 1.2,
                    cell: (row) => (
                      <Button look="danger" onClick={() => setUnlinked(row)}>
                        {t.unlink}
                      </Button>
                    ),
                  },
                ]}
              />
            )}
            <p className="button-row">
              {providers.map(({ id, name }) => (
                <Button key={id} pending={pending} onClick={() => void link(id)}>
                  {t.link(name)}
                </Button>
              ))}
            </p>
          </>
        )}
      </QueryBoundary>
      {error !== null && <Refused error={error} />}
      {unlinked && (
        <ConfirmDialog
          title={t.unlinkTitle(unlinked.provider)}
          description={t.unlinkExplained}
          button={t.unlink}
          isDanger
          cancel={t.keepIt}
          mutation={() => identity.unlink.mutate({ id: unlinked.id })}
          onDone={() => {
            toast(t.unlinkDone, unlinked.provider);
            refresh();
          }}
          onClose={() => setUnlinked(null)}
        />
      )}
    </Section>
  );
}
