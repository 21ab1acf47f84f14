import { listDueDeployments, restDeployments } from "#db/queries/safes/safe-deployments.ts";
import type { SafeVersion } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";
import { type Duty, guard, type Observe, type Verdict } from "#server/engines/duty.ts";
import { type EvmChain, Unreachable } from "#server/ports.ts";
import { type Located, locateContracts } from "#server/services/safes/locate-contracts.ts";
import { planDeployment } from "#server/services/safes/plan-deployment.ts";
import { verifyDeployment } from "#server/services/safes/verify-deployment.ts";

const AT_ONCE = 64;
/** A deployed contract wakes the deployments that wait for it; this interval is the fallback. */
const REST_MS = 2_000;

/** The steps of a deployment. The process may die between any two of them; the deployment's transfer has its own steps. */
export const DEPLOYMENT_STEPS = ["deployments_listed", "deployment_owed", "deployment_verified"] as const;
export type DeploymentStep = (typeof DEPLOYMENT_STEPS)[number];

export type DeploymentPowers = Uses<"db" | "evm" | "signers" | "log" | "tracer">;

/** Safes and their contracts, one duty per chain: enqueues requested ones, and verifies deployed ones. */
export function deploymentDuties(ctx: DeploymentPowers): Duty[] {
  return ctx.evm.list().map(({ chain }) => ({
    name: `safe deployments ${chain}`,
    channel: "transfers",
    everyMs: 1_000,
    run: () => processDeployments(ctx, chain),
  }));
}

/**
 * One pass over a chain's deployments: enqueues the transfers of requested ones, and verifies deployed ones. Several workers may do so at
 * once: each step is decided on the locked row.
 *
 * @returns `busy` when there may be more at once
 */
export async function processDeployments(ctx: DeploymentPowers, chainName: string, observe?: Observe<DeploymentStep>): Promise<Verdict> {
  const chain = ctx.evm.find(chainName);
  if (chain === null) throw new Error(`${chainName} is no configured EVM chain`);
  const due = await listDueDeployments(ctx.db, chain.chain, AT_ONCE);
  if (due.length > 0) observe?.("deployments_listed");
  const places = new Map<SafeVersion, Promise<Located>>();
  const locate = (version: SafeVersion) => {
    const asked = places.get(version) ?? locateContracts(ctx, chain, version);
    places.set(version, asked);
    return asked;
  };
  for (const [index, deployment] of due.entries()) {
    const work = async () => {
      const step = await handle(ctx, chain, deployment, () => locate(deployment.version));
      if (step !== null) observe?.(step, deployment.id);
    };
    try {
      await guard(work, (error) => restAfterDefect(ctx, deployment, error), [Unreachable]);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      const rest = due.slice(index).map(({ id }) => id);
      await restDeployments(ctx.db, rest, { reason: `No node of ${chain.name} can be reached.`, restMs: REST_MS });
      return "idle";
    }
  }
  return due.length === AT_ONCE ? "busy" : "idle";
}

async function restAfterDefect({ db, log }: DeploymentPowers, { id, chain }: SafeDeployment, error: unknown): Promise<void> {
  log.error({ deployment_id: id, chain, err: error }, "a deployment could not be processed");
  await restDeployments(db, [id], { reason: "An internal error stopped it; the log says more.", restMs: 2 * REST_MS });
}

/** Answers the step that was made; null where it waits. */
async function handle(
  ctx: DeploymentPowers,
  chain: EvmChain,
  deployment: SafeDeployment,
  locate: () => Promise<Located>,
): Promise<DeploymentStep | null> {
  if (deployment.state === "made") {
    const attributes = { "settlement.deployment_id": deployment.id, "settlement.chain": chain.chain };
    const about = { within: deployment.trace, kind: "client", attributes } as const;
    await ctx.tracer.span("deployment.verify", about, () => verifyDeployment(ctx, chain, deployment));
    return "deployment_verified";
  }
  const waiting = await planDeployment(ctx, chain, deployment, locate);
  if (waiting === null) return "deployment_owed";
  await restDeployments(ctx.db, [deployment.id], { reason: waiting, restMs: REST_MS });
  return null;
}
