"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { ProviderCard } from "./provider-card.tsx";
import { PROVIDERS_SCREEN } from "./words.ts";

const ProviderForm = lazyComponent(() => import("./provider-form.tsx").then(({ ProviderForm: Loaded }) => Loaded));

/** The identity providers of one's own side; for an operator's admins also partners' changes that wait. */
export function ProvidersScreen({ side, self }: { side: "operator" | "partner"; self: string }) {
  const t = useTranslations(PROVIDERS_SCREEN);
  const trpc = useTRPC();
  const list = useQuery(trpc.identity.list.queryOptions());
  const refresh = useRefresh(trpc.identity.list.queryKey());
  const [adding, setAdding] = useState(false);
  useLiveChanges(({ action }) => action.startsWith("identity_provider."), refresh);
  return (
    <>
      <PageHeader
        title={t.title}
        actions={
          <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        }
      />
      <p className="muted">{t.explained}</p>
      <QueryBoundary of={list} waiting={<Skeleton rows={4} />}>
        {({ providers, waiting }) => (
          <>
            {providers.length === 0 && <Empty title={t.none} />}
            {providers.map((provider) => (
              <ProviderCard key={provider.id} provider={provider} side={side} self={self} onChange={refresh} />
            ))}
            {waiting.length > 0 && (
              <Section title={t.waiting}>
                {waiting.map((provider) => (
                  <ProviderCard
                    key={provider.id}
                    provider={provider}
                    side="operator"
                    self={self}
                    onChange={refresh}
                    of={provider.partner}
                  />
                ))}
              </Section>
            )}
          </>
        )}
      </QueryBoundary>
      {adding && <ProviderForm side={side} provider={null} onSaved={refresh} onClose={() => setAdding(false)} />}
    </>
  );
}
