import type { SearchParams } from "../../../_components/lists/address-params.ts";
import { read, requireOperator, shown, trpc } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { DeploymentList } from "./deployment-list.tsx";
import { DEPLOYMENTS, pageOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function SafeDeployments({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { role } = await requireOperator();
  return await shown(
    <DeploymentList mayDeploy={role === "admin"} />,
    read(trpc.safes.list.queryOptions(pageOf(DEPLOYMENTS.load(await searchParams)))),
    read(trpc.settlements.choices.queryOptions()),
  );
}
