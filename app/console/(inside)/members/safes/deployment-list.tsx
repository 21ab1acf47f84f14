"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES } from "#domain/safe-deployment.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { Id, Time } from "../../../_components/controls/values.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../../_components/lists/filter-drawer.tsx";
import { narrow, worded } from "../../../_components/lists/filters.ts";
import { Empty } from "../../../_components/lists/list-states.tsx";
import type { Column } from "../../../_components/lists/table.tsx";
import { useAddressParams } from "../../../_components/lists/use-address-params.ts";
import { useStillRows, WALKED_STILL } from "../../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../../_components/lists/walked-list.tsx";
import { useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../../_words/words.ts";
import { DeploymentBadge, purposeOf } from "./deployment-signs.tsx";
import { DEPLOYMENTS, pageOf } from "./search-params.ts";
import { DEPLOYMENT_LIST, KINDS, PURPOSES, STATES } from "./words.ts";

const DeployWizard = lazyComponent(() => import("./deploy-wizard.tsx").then(({ DeployWizard: Loaded }) => Loaded));

type Deployment = Answers["safes"]["list"]["data"][number];

const isMoving = ({ state }: Deployment) => state !== "deployed" && state !== "failed";

const pageOfOne = (id: string) => `/console/members/safes/${id}`;

function columnsOf(t: WithShared<typeof DEPLOYMENT_LIST>, kinds: typeof KINDS, purposes: typeof PURPOSES): Column<Deployment>[] {
  return [
    { id: "state", header: t.state, pinned: true, cell: ({ state }) => <DeploymentBadge state={state} />, card: 1.1 },
    {
      id: "id",
      header: t.deployment,
      card: 2.2,
      cell: ({ id }) => <Id value={id} what={t.deploymentNoun} href={pageOfOne(id)} />,
      inCard: ({ id }) => <Id value={id} what={t.deploymentNoun} href={pageOfOne(id)} copy={false} />,
    },
    { id: "kind", header: t.what, cell: ({ kind, version }) => `${kinds[kind]} ${version}`, card: 2.1 },
    { id: "purpose", header: t.for, cell: (row) => purposeOf(row, purposes) },
    { id: "chain", header: t.chain, cell: ({ chain }) => <Data>{chain}</Data> },
    {
      id: "address",
      header: t.address,
      cell: ({ address }) => (address === null ? "–" : <Id value={address} what={t.addressNoun} />),
    },
    { id: "created", header: t.requested, cell: ({ created_at }) => <Time at={created_at} />, card: 1.2 },
  ];
}

const idOf = ({ id }: Deployment) => id;

/** Safes and the contracts that they need, with the progress of each deployment. */
export function DeploymentList({ mayDeploy }: { mayDeploy: boolean }) {
  const t = useTranslations(DEPLOYMENT_LIST);
  const [kinds, states, purposes] = [useTranslations(KINDS), useTranslations(STATES), useTranslations(PURPOSES)];
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [params, set] = useAddressParams(DEPLOYMENTS.params);
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
    params,
    set,
    one: t.deploymentNoun,
    many: t.many,
    filters: [
      { name: "kind", label: t.what, choices: worded(SAFE_DEPLOYMENT_KINDS, kinds) },
      { name: "state", label: t.state, choices: worded(SAFE_DEPLOYMENT_STATES, states) },
    ],
  });
  return (
    <>
      <PageHeader
        title={t.safeDeployments}
        actions={
          <>
            <FilterDrawer of={narrowing} />
            {mayDeploy && (
              <Button look="primary" icon={Plus} onClick={() => setDeploying(true)}>
                {t.deploy}
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
        columns={columnsOf(t, kinds, purposes)}
        idOf={idOf}
        open={({ id }) => pageOfOne(id)}
        empty={<Empty title={t.none} more={t.noneMore} />}
      />
      {mayDeploy && <DeployWizard open={deploying} onClose={() => setDeploying(false)} />}
    </>
  );
}
