import type { Metadata } from "next";
import { Hydrate } from "../../../../_trpc/hydrate.tsx";
import { orNotFound, serverQueries, trpc } from "../../../../_trpc/server.ts";
import { requireOperator } from "../../../../_trpc/session.ts";
import { DeploymentPage } from "./deployment-page.tsx";

export const metadata: Metadata = { title: "Safe deployment" };

export default async function SafeDeployment({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }] = await Promise.all([params, requireOperator()]);
  await orNotFound(serverQueries().fetchQuery(trpc.safes.byId.queryOptions({ id })));
  return (
    <Hydrate>
      <DeploymentPage id={id} />
    </Hydrate>
  );
}
