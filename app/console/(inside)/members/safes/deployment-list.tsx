"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES } from "#domain/safe-deployment.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { onDemand } from "../../../_components/controls/on-demand.tsx";
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
import { Data } from "../../../_words/told.tsx";
import { useWords } from "../../../_words/words.ts";
import { DeploymentBadge, purposeOf } from "./deployment-signs.tsx";
import { DEPLOYMENTS, pageOf } from "./search-params.ts";
import { DEPLOYMENT_LIST, KINDS, PURPOSES, STATES } from "./words.ts";

const DeployWizard = onDemand(() => import("./deploy-wizard.tsx").then(({ DeployWizard: Loaded }) => Loaded));

type Deployment = Answers["safes"]["list"]["data"][number];

const isMoving = ({ state }: Deployment) => state !== "deployed" && state !== "failed";

const pageOfOne = (id: string) => `/console/members/safes/${id}`;

function columnsOf(says: typeof DEPLOYMENT_LIST, kinds: typeof KINDS, purposes: typeof PURPOSES): Column<Deployment>[] {
  return [
    { id: "state", header: says.state, pinned: true, cell: ({ state }) => <DeploymentBadge state={state} />, card: 1.1 },
    {
      ...{ id: "id", header: says.deployment, card: 2.2 },
      cell: ({ id }) => <Id value={id} what={says.theDeployment} href={pageOfOne(id)} />,
      inCard: ({ id }) => <Id value={id} what={says.theDeployment} href={pageOfOne(id)} copy={false} />,
    },
    { id: "kind", header: says.what, cell: ({ kind, version }) => `${kinds[kind]} ${version}`, card: 2.1 },
    { id: "purpose", header: says.for, cell: (row) => purposeOf(row, purposes) },
    { id: "chain", header: says.chain, cell: ({ chain }) => <Data>{chain}</Data> },
    {
      id: "address",
      header: says.address,
      cell: ({ address }) => (address === null ? "–" : <Id value={address} what={says.theAddress} />),
    },
    { id: "created", header: says.askedFor, cell: ({ created_at }) => <Time at={created_at} />, card: 1.2 },
  ];
}

const idOf = ({ id }: Deployment) => id;

/** Safes and the contracts they stand on: what was asked for and how far it came. */
export function DeploymentList({ mayDeploy }: { mayDeploy: boolean }) {
  const says = useWords(DEPLOYMENT_LIST);
  const [kinds, states, purposes] = [useWords(KINDS), useWords(STATES), useWords(PURPOSES)];
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
    ...{ params, set, one: says.one, many: says.many },
    filters: [
      { name: "kind", label: says.what, choices: worded(SAFE_DEPLOYMENT_KINDS, kinds) },
      { name: "state", label: says.state, choices: worded(SAFE_DEPLOYMENT_STATES, states) },
    ],
  });
  return (
    <>
      <PageHeader
        title={says.title}
        actions={
          <>
            <FilterDrawer of={narrowing} />
            {mayDeploy && (
              <Button look="primary" icon={Plus} onClick={() => setDeploying(true)}>
                {says.deploy}
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
        columns={columnsOf(says, kinds, purposes)}
        idOf={idOf}
        open={({ id }) => pageOfOne(id)}
        empty={
          <Empty title={says.none}>
            <p>{says.noneMore}</p>
          </Empty>
        }
      />
      {mayDeploy && <DeployWizard open={deploying} onClose={() => setDeploying(false)} />}
    </>
  );
}
