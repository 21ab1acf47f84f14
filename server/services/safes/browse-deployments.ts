import { browseSafeDeployments, type DeploymentFilter } from "#db/queries/safes/safe-deployments.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";

export type { DeploymentFilter } from "#db/queries/safes/safe-deployments.ts";

/** Safes and the contracts they stand on, as they were asked for, newest first. For the operator. */
export async function browseDeployments(
  ctx: Uses<"db">,
  query: { filter: DeploymentFilter } & Walk<string>,
): Promise<Walked<SafeDeployment, string>> {
  const { filter, ...walk } = query;
  return await walkPage(
    walk,
    (each) => browseSafeDeployments(ctx.db, filter, each),
    ({ id }) => id,
  );
}
