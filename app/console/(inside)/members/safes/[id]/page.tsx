import { orNotFound, requireOperator, serverQueries, shown, trpc } from "../../../../_trpc/page.ts";
import { titled } from "../../../../_words/server.ts";
import { DEPLOYMENT } from "../words.ts";
import { DeploymentPage } from "./deployment-page.tsx";

export const generateMetadata = titled(DEPLOYMENT);

export default async function SafeDeployment({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }] = await Promise.all([params, requireOperator()]);
  await orNotFound(serverQueries().fetchQuery(trpc.safes.byId.queryOptions({ id })));
  return await shown(<DeploymentPage id={id} />);
}
