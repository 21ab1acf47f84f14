"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES } from "#domain/safe-deployment.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { Id, Time } from "../../../_components/controls/values.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../../_components/lists/filter-drawer.tsx";
import { narrow, worded } from "../../../_components/lists/filters.ts";
import { Empty } from "../../../_components/lists/list-states.tsx";
import type { Column } from "../../../_components/lists/table.tsx";
import { useListParams } from "../../../_components/lists/use-list-params.ts";
import { useStillRows, WALKED_STILL } from "../../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../../_components/lists/walked-list.tsx";
import { useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { DeployWizard } from "./deploy-wizard.tsx";
import { DEPLOYMENTS, pageOf } from "./search-params.ts";
import { DeploymentBadge, KIND_WORDS, purposeOf, STATE_WORDS } from "./words.tsx";

type Deployment = Answers["safes"]["list"]["data"][number];

const isMoving = ({ state }: Deployment) => state !== "deployed" && state !== "failed";

const pageOfOne = (id: string) => `/console/members/safes/${id}`;
const COLUMNS: readonly Column<Deployment>[] = [
  { id: "state", header: "State", pinned: true, cell: ({ state }) => <DeploymentBadge state={state} />, card: 1.1 },
  {
    ...{ id: "id", header: "Deployment", card: 2.2 },
    cell: ({ id }) => <Id value={id} what="deployment" href={pageOfOne(id)} />,
    inCard: ({ id }) => <Id value={id} what="deployment" href={pageOfOne(id)} copy={false} />,
  },
  { id: "kind", header: "What", cell: ({ kind, version }) => `${KIND_WORDS[kind]} ${version}`, card: 2.1 },
  { id: "purpose", header: "For", cell: purposeOf },
  { id: "chain", header: "Chain", cell: ({ chain }) => chain },
  { id: "address", header: "Address", cell: ({ address }) => (address === null ? "–" : <Id value={address} what="address" />) },
  { id: "created", header: "Asked for", cell: ({ created_at }) => <Time at={created_at} />, card: 1.2 },
];

const idOf = ({ id }: Deployment) => id;

/** Safes and the contracts they stand on: what was asked for and how far it came. */
export function DeploymentList({ mayDeploy }: { mayDeploy: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [params, set] = useListParams(DEPLOYMENTS);
  const [deploying, setDeploying] = useState(false);
  const page = pageOf(params);
  const options = trpc.safes.list.queryOptions(page, WALKED_STILL);
  const query = useQuery(options);
  const { newer } = useStillRows({
    queryKey: options.queryKey,
    rows: query.data?.data,
    read: () => client.safes.list.query(page),
    idOf,
    createdAction: "safe_deployment.requested",
    isMoving,
  });
  const narrowing = narrow(DEPLOYMENTS, {
    ...{ params, set, one: "deployment", many: "deployments" },
    filters: [
      { name: "kind", label: "What", choices: worded(SAFE_DEPLOYMENT_KINDS, KIND_WORDS) },
      { name: "state", label: "State", choices: worded(SAFE_DEPLOYMENT_STATES, STATE_WORDS) },
    ],
  });
  return (
    <>
      <PageHeader
        title="Safe deployments"
        actions={
          <>
            <FilterDrawer of={narrowing} />
            {mayDeploy && (
              <Button look="primary" icon={Plus} onClick={() => setDeploying(true)}>
                Deploy
              </Button>
            )}
          </>
        }
      />
      <FilterChips of={narrowing} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.safes.pathKey()}
        limit={page.limit}
        newer={newer}
        columns={COLUMNS}
        idOf={idOf}
        open={({ id }) => pageOfOne(id)}
        empty={
          <Empty title="No deployments yet">
            <p>A Safe is deployed for each member that brings no wallet of its own.</p>
          </Empty>
        }
      />
      {mayDeploy && <DeployWizard open={deploying} onClose={() => setDeploying(false)} />}
    </>
  );
}
