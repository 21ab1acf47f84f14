import { findSafeDeployment, lockSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { findTransferOf, lockTransfer } from "#db/queries/transfers/transfers.ts";
import { Refusal } from "#domain/refusal.ts";
import { allowsDeployment, type EthTx } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";
import { moveTransfer } from "#server/services/transfers/move-transfer.ts";
import { failDeployment } from "./complete-deployment.ts";
import { findEthTx } from "./find-deployments.ts";

/** Long enough for a block of most chains, short enough for most clients. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 100;

export type AwaitDeployment = {
  id: string;
  /** Whether the deployment stays enqueued if there is no answer in time: only if a repeat would find it. */
  keep: boolean;
  patienceMs?: number;
};

/**
 * Waits until a deployment's transaction is in a block, and returns it; after a while, also one that is signed and in flight. Sender, nonce
 * and the contract's address are then final; a fee bump may still change the hash. If nothing is signed by then, the deployment is
 * cancelled unless it is to be kept. Call it outside of transactions.
 *
 * @throws Refusal `conflict` when it has failed, `temporarily_unavailable` while the worker, the chain or the treasury is unavailable
 */
export async function awaitDeployment(ctx: Uses<"db" | "evm">, wait: AwaitDeployment): Promise<EthTx> {
  const until = performance.now() + (wait.patienceMs ?? PATIENCE_MS);
  for (;;) {
    const seen = await look(ctx, wait.id);
    if (seen.isInBlock && seen.ethTx) return seen.ethTx;
    if (performance.now() >= until) {
      if (seen.ethTx) return seen.ethTx;
      if (wait.keep || (await giveUp(ctx, wait.id))) throw notYet(seen.waitingReason);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

type Seen = { isInBlock: boolean; ethTx: EthTx | null; waitingReason: string | null };

async function look(ctx: Uses<"db" | "evm">, id: string): Promise<Seen> {
  const deployment = await findSafeDeployment(ctx.db, id);
  if (deployment === null) throw new Error(`there is no deployment ${id}`);
  if (deployment.state === "failed") throw new Refusal("conflict", { detail: deployment.failureReason ?? "The deployment failed." });
  const transfer = await findTransferOf(ctx.db, "deployment", id);
  if (transfer?.state === "failed") throw new Refusal("conflict", { detail: transfer.failureReason ?? "The deployment failed." });
  if (transfer?.state === "needs_review") throw new Refusal("conflict", { detail: "An operator must review this deployment." });
  const ethTx = transfer ? await findEthTx(ctx, deployment, transfer) : null;
  const isInBlock = transfer?.state === "mined" || transfer?.state === "executed";
  return { isInBlock, ethTx, waitingReason: transfer?.waitingReason ?? deployment.waitingReason };
}

/** Cancels a deployment unless it has been signed meanwhile. It takes the locks in the same order as the engine. */
async function giveUp(ctx: Uses<"db">, id: string): Promise<boolean> {
  const reason = "The requester was informed that it could not be done.";
  return await ctx.db.transaction(async (tx) => {
    const owed = await findTransferOf(tx, "deployment", id);
    const held = owed === null ? null : await lockTransfer(tx, owed.id);
    const deployment = await lockSafeDeployment(tx, id);
    if (deployment === null || !allowsDeployment(deployment.state, "fail")) return false;
    if (held === null) {
      if (deployment.state !== "asked") return false;
    } else if ((await moveTransfer(tx, held.id, { type: "withdraw", reason })) === null) {
      return false;
    }
    await failDeployment(tx, deployment, reason);
    return true;
  });
}

function notYet(reason: string | null): Refusal {
  const detail = reason === null ? "Nothing could be signed in time." : `Nothing could be signed in time: ${reason}`;
  return new Refusal("temporarily_unavailable", { detail, retryAfterSeconds: 10 });
}
