"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES } from "#domain/safe-deployment.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { Id } from "../../../_components/controls/id.tsx";
import { Time } from "../../../_components/controls/time.tsx";
import { usePage } from "../../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../../_components/frame/page-header.tsx";
import { FilterChips, FilterDrawer } from "../../../_components/lists/filter-drawer.tsx";
import { FilterSelect, worded } from "../../../_components/lists/filter-fields.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../../_components/lists/list-states.tsx";
import { Pagination } from "../../../_components/lists/pagination.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { STILL, useStillRows } from "../../../_components/lists/use-still-rows.ts";
import { useTRPC, useTRPCClient } from "../../../_trpc/client.ts";
import { DeployWizard } from "./deploy-wizard.tsx";
import { FROM_THE_TOP, NO_FILTER, pageOf, SAFES_PARAMS, type SafesParams } from "./search-params.ts";
import { DeploymentBadge, KIND_WORDS, purposeOf, STATE_WORDS } from "./words.tsx";

type Deployment = Answers["safes"]["list"]["data"][number];

const isMoving = ({ state }: Deployment) => state !== "deployed" && state !== "failed";

const COLUMNS: readonly Column<Deployment>[] = [
  { id: "state", header: "State", pinned: true, cell: ({ state }) => <DeploymentBadge state={state} /> },
  { id: "id", header: "Deployment", cell: ({ id }) => <Id value={id} what="deployment" href={`/console/members/safes/${id}`} /> },
  { id: "kind", header: "What", cell: ({ kind, version }) => `${KIND_WORDS[kind]} ${version}` },
  { id: "purpose", header: "For", cell: purposeOf },
  { id: "chain", header: "Chain", cell: ({ chain }) => chain },
  { id: "address", header: "Address", cell: ({ address }) => (address === null ? "–" : <Id value={address} what="address" />) },
  { id: "created", header: "Asked for", cell: ({ created_at }) => <Time at={created_at} /> },
];

/** Safes and the contracts they stand on: what was asked for and how far it came. */
export function DeploymentList({ mayDeploy }: { mayDeploy: boolean }) {
  const [params, setParams] = useQueryStates(SAFES_PARAMS, { history: "push", shallow: true });
  const [deploying, setDeploying] = useState(false);
  const set = (next: Partial<SafesParams>) => void setParams({ ...FROM_THE_TOP, ...next });
  const held = [
    params.kind === null ? null : { text: KIND_WORDS[params.kind], remove: () => set({ kind: null }) },
    params.state === null ? null : { text: STATE_WORDS[params.state], remove: () => set({ state: null }) },
  ].filter((each) => each !== null);
  const clear = () => set(NO_FILTER);
  return (
    <>
      <PageHeader
        title="Safe deployments"
        actions={
          <>
            <FilterDrawer
              title="Filter deployments"
              show="Show deployments"
              count={held.length}
              params={params}
              none={NO_FILTER}
              onApply={set}
            >
              {(draft, change) => (
                <>
                  <FilterSelect
                    label="What"
                    value={draft.kind}
                    choices={worded(SAFE_DEPLOYMENT_KINDS, KIND_WORDS)}
                    onChoose={(kind) => change({ kind })}
                  />
                  <FilterSelect
                    label="State"
                    value={draft.state}
                    choices={worded(SAFE_DEPLOYMENT_STATES, STATE_WORDS)}
                    onChoose={(state) => change({ state })}
                  />
                </>
              )}
            </FilterDrawer>
            {mayDeploy && (
              <Button look="primary" icon={Plus} onClick={() => setDeploying(true)}>
                Deploy
              </Button>
            )}
          </>
        }
      />
      <FilterChips held={held} onClear={clear} />
      <Listed params={params} set={set} onClear={clear} />
      {mayDeploy && <DeployWizard open={deploying} onClose={() => setDeploying(false)} />}
    </>
  );
}

type ListedProps = { params: SafesParams; set: (next: Partial<SafesParams>) => void; onClear: () => void };

function Listed({ params, set, onClear }: ListedProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const page = pageOf(params);
  const options = trpc.safes.list.queryOptions(page, { ...STILL, placeholderData: keepPreviousData });
  const list = usePage(useQuery(options));
  const { newer } = useStillRows({
    queryKey: options.queryKey,
    rows: list.data?.data,
    read: () => client.safes.list.query(page),
    idOf: ({ id }) => id,
    createdAction: "safe_deployment.requested",
    isMoving,
  });
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  return (
    <Earlier of={list}>
      {list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      <div className="new-rows" role="status">
        {newer > 0 && (
          <Button look="primary" onClick={() => (params.cursor === null ? void list.refetch() : set({}))}>
            {newer} new {newer === 1 ? "deployment" : "deployments"}
          </Button>
        )}
      </div>
      {data.length === 0 ? (
        params.kind === null && params.state === null ? (
          <Empty title="No deployments yet">
            <p>A Safe is deployed for each member that brings no wallet of its own.</p>
          </Empty>
        ) : (
          <NoMatch onClear={onClear}>No deployment fits what is asked for above.</NoMatch>
        )
      ) : (
        <Table
          caption="Deployments, newest first"
          columns={COLUMNS}
          rows={data}
          keyOf={({ id }) => id}
          card={(row) => <Card row={row} />}
          footer={
            <Pagination
              hasNewer={newer_cursor !== null}
              hasOlder={older_cursor !== null}
              onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
              onOlder={() => set({ cursor: older_cursor, direction: null })}
              limit={page.limit}
              onLimit={(limit) => set({ limit })}
            />
          }
        />
      )}
    </Earlier>
  );
}

function Card({ row }: { row: Deployment }) {
  return (
    <>
      <div className="card-line">
        <DeploymentBadge state={row.state} />
        <Time at={row.created_at} />
      </div>
      <div className="card-line">
        <span>
          {KIND_WORDS[row.kind]} {row.version}
        </span>
        <Id value={row.id} what="deployment" href={`/console/members/safes/${row.id}`} copy={false} />
      </div>
    </>
  );
}
