import { createHash, randomBytes } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findDeploymentOf, insertSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { actorId, type By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { type SafeContract, type SafeVersion, SENTINEL_ADDRESS } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { checksumAddress, checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";

/** How long an Idempotency-Key is valid (contract, part 2). */
const KEEP_SECONDS = 24 * 3_600;

/** How to recognise a repeat: by an operator's Idempotency-Key on a path, or only by the request itself. */
export type DeploymentWish = {
  by: By;
  path: string;
  idempotencyKey: string | null;
  /** The `traceparent` that the deployment will be traced under; left out: none. */
  trace?: string | null;
};
export type DeploymentOrder = Pick<SafeDeployment, "kind" | "chain" | "version" | "owners" | "threshold" | "saltNonce">;

/** The key under which a request's deployment is found again. */
export function requestKeyOf({ by, path, idempotencyKey }: DeploymentWish): string {
  const parts = idempotencyKey === null ? ["request", by.requestId] : ["key", by.actor.type, actorId(by.actor), path, idempotencyKey];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Stores an operator's request in its own transaction, so that the deployment is enqueued whatever happens to the request. A repeat under
 * the same Idempotency-Key finds the existing one.
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
    const deployment = await newDeployment(tx, { ...order, trace: wish.trace ?? null });
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
  order: DeploymentOrder & Partial<Pick<SafeDeployment, "shared" | "memberId" | "partnerId" | "trace">>,
): Promise<SafeDeployment> {
  const now = await readBusinessNow(tx);
  return {
    shared: false,
    memberId: null,
    partnerId: null,
    trace: null,
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

export type CreateSafe = DeploymentWish & { chain: string; owners: readonly string[]; threshold: number; version: SafeVersion };

/**
 * Requests the deployment of a Safe, at a new address each time (contract, part 6).
 *
 * @throws Refusal `forbidden`, `unsupported_chain`, `invalid_wallet_address` (an owner), `validation_failed`, `idempotency_key_reused`
 */
export async function createSafe(
  ctx: Uses<"db" | "clock" | "evm">,
  { chain, owners, threshold, version, ...wish }: CreateSafe,
): Promise<SafeDeployment> {
  const checked = owners.map((owner, index) => checkOwner(chain, owner, index));
  if (new Set(checked).size !== checked.length) throw invalid("/owners", "must name each owner once");
  if (threshold < 1 || threshold > checked.length) throw invalid("/threshold", "must not exceed the number of owners");
  return await askDeployment(ctx, wish, { kind: "safe", chain, version, owners: checked, threshold, saltNonce: newSaltNonce() });
}

/** Nobody can guess a Safe's address before it is requested, nor occupy it. */
export function newSaltNonce(): string {
  return `0x${randomBytes(32).toString("hex")}`;
}

/** The owner in its EIP-55 form. */
function checkOwner(chain: string, owner: string, index: number): string {
  const pointer = `/owners/${index}`;
  try {
    checkWalletAddress({ chain, address: owner, refused: [] });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw invalidOwner(pointer, error.message);
  }
  if (owner.toLowerCase() === SENTINEL_ADDRESS) throw invalidOwner(pointer, "A Safe uses this address itself, to mark the end of a list.");
  return checksumAddress(owner);
}

function invalidOwner(pointer: string, message: string): Refusal {
  return new Refusal("invalid_wallet_address", { detail: message, errors: [{ pointer, code: "invalid_wallet_address", message }] });
}

function invalid(pointer: string, message: string): Refusal {
  return new Refusal("validation_failed", { errors: [{ pointer, code: "invalid", message }] });
}

export type CreateSafeContract = DeploymentWish & { contract: SafeContract; chain: string; version: SafeVersion };

/**
 * Requests the deployment of one more copy of a contract that Safes need, even if there is one already (contract, part 9: each call deploys
 * one). Where the chain lacks the canonical one, Safes will use this copy.
 *
 * @throws Refusal `forbidden`, `unsupported_chain`, `idempotency_key_reused`
 */
export async function createSafeContract(
  ctx: Uses<"db" | "clock" | "evm">,
  { contract, chain, version, ...wish }: CreateSafeContract,
): Promise<SafeDeployment> {
  return await askDeployment(ctx, wish, { kind: contract, chain, version, owners: null, threshold: null, saltNonce: null });
}
