import { createHash } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findDeploymentOf, insertSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { actorId, type By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";

/** How long an Idempotency-Key names what it asked for (contract, part 2). */
const KEEP_SECONDS = 24 * 3_600;

/** What tells a repeat from another wish: an operator's Idempotency-Key on a path, or nothing but the request itself. */
export type DeploymentWish = { by: By; path: string; idempotencyKey: string | null };
export type DeploymentOrder = Pick<SafeDeployment, "kind" | "chain" | "version" | "owners" | "threshold" | "saltNonce">;

/** The key under which a request's deployment is found again. */
export function requestKeyOf({ by, path, idempotencyKey }: DeploymentWish): string {
  const parts = idempotencyKey === null ? ["request", by.requestId] : ["key", by.actor.type, actorId(by.actor), path, idempotencyKey];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Stores what an operator asks for, in a transaction of its own, so that it is owed whatever becomes of the request. A repeat under
 * the same Idempotency-Key finds what exists.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `unsupported_chain`, `idempotency_key_reused`
 */
export async function askDeployment(
  ctx: Uses<"db" | "clock" | "evm">,
  wish: DeploymentWish,
  order: DeploymentOrder,
): Promise<SafeDeployment> {
  refuseUnlessAdministrator(wish.by, ctx.clock.now());
  if (ctx.evm.find(order.chain) === null) throw unsupportedChain();
  const key = requestKeyOf(wish);
  const { kind, chain, version, owners, threshold } = order;
  const hash = createHash("sha256")
    .update(JSON.stringify([kind, chain, version, owners, threshold]))
    .digest("hex");
  return await ctx.db.transaction(async (tx) => {
    const deployment = await newDeployment(tx, order);
    if (!(await insertSafeDeployment(tx, deployment, { key, hash, keepSeconds: KEEP_SECONDS }))) {
      const earlier = await findDeploymentOf(tx, key);
      if (earlier === null) throw new Refusal("idempotency_in_progress", { retryAfterSeconds: 1 });
      if (earlier.hash !== hash) throw new Refusal("idempotency_key_reused");
      return earlier.deployment;
    }
    const change = { kind, chain, version, ...(owners ? { owners, threshold } : {}) };
    await insertAuditEntry(tx, {
      by: wish.by,
      partnerId: null,
      action: "safe_deployment.requested",
      objectId: deployment.id,
      change,
      now: deployment.createdAt,
    });
    return deployment;
  });
}

/** A deployment at its beginning. */
export async function newDeployment(
  tx: Database,
  order: DeploymentOrder & Partial<Pick<SafeDeployment, "shared" | "memberId" | "partnerId">>,
): Promise<SafeDeployment> {
  const now = await readBusinessNow(tx);
  return {
    shared: false,
    memberId: null,
    partnerId: null,
    ...order,
    id: newId("safeDeployment", now),
    state: "asked",
    address: null,
    waitingReason: null,
    failureReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

function unsupportedChain(): Refusal {
  const message = "Safes are not supported on this chain.";
  return new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
}
