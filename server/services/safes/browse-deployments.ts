import { browseSafeDeployments, type DeploymentFilter } from "#db/queries/safes/safe-deployments.ts";
import { cutPage, type Walk, type Walked } from "#domain/page.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";

export type { DeploymentFilter } from "#db/queries/safes/safe-deployments.ts";

/** Safes and the contracts they stand on, as they were asked for, newest first. For the operator. */
export async function browseDeployments(ctx: Uses<"db">, query: { filter: DeploymentFilter } & Walk): Promise<Walked<SafeDeployment>> {
  const { filter, ...walk } = query;
  return cutPage(await browseSafeDeployments(ctx.db, filter, { ...walk, limit: walk.limit + 1 }), walk, (deployment) => deployment);
}
