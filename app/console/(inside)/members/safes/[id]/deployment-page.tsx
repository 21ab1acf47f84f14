"use client";

import { useQuery } from "@tanstack/react-query";
import { HistoryAside } from "../../../../_components/controls/timeline.tsx";
import { Id } from "../../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton, Stale } from "../../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../../_trpc/client.tsx";
import { useTranslations } from "../../../../_words/words.ts";
import { actorOf } from "../../../settlements/[tx_id]/story.ts";
import { STORY as ACTORS } from "../../../settlements/[tx_id]/words.ts";
import { DeploymentBadge } from "../deployment-signs.tsx";
import { DeploymentStory } from "../deployment-story.tsx";
import { DEPLOYMENT_PAGE, KINDS } from "../words.ts";

/** One deployment: its progress, and its transaction. */
export function DeploymentPage({ id }: { id: string }) {
  const t = useTranslations(DEPLOYMENT_PAGE);
  const kinds = useTranslations(KINDS);
  const actors = useTranslations(ACTORS);
  const trpc = useTRPC();
  const options = trpc.safes.byId.queryOptions({ id });
  const query = useQuery({
    ...options,
    refetchInterval: ({ state: { data } }) => (data && data.state !== "deployed" && data.state !== "failed" ? 1_000 : false),
  });
  useLiveChanges(({ object_id }) => object_id === id, useRefresh(options.queryKey));
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const deployment = query.data;
  const nodes = deployment.history.map((entry) => ({
    id: entry.id,
    title: t.requested,
    tone: "quoted",
    at: entry.at,
    by: actorOf(entry, actors),
  }));
  const ended = { deployed: { title: t.deployed, tone: "executed" }, failed: { title: t.failed, tone: "failed" } } as const;
  const end = deployment.state === "deployed" || deployment.state === "failed" ? ended[deployment.state] : null;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader within={{ href: "/console/members/safes", label: t.safes }} title={`${kinds[deployment.kind]} ${deployment.version}`}>
        <DeploymentBadge state={deployment.state} />
        <Id value={deployment.id} what={t.deploymentNoun} />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          <Section title={t.progress}>
            <DeploymentStory deployment={deployment} />
          </Section>
        </div>
        <HistoryAside
          nodes={[
            ...(nodes.length === 0
              ? [{ id: "asked", title: t.requested, tone: "quoted", at: deployment.created_at, by: t.theService }]
              : nodes),
            end === null ? { id: "end", title: t.deployed, at: null } : { id: "end", ...end, at: deployment.updated_at },
          ]}
        />
      </div>
    </>
  );
}
