import { findSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { findPayment, type HistoryEntry, listHistory, type Payment } from "#db/queries/settlements/settlement-story.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { EthTx, SafeDeployment } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { findEthTx } from "./find-eth-tx.ts";

export type DeploymentStory = {
  deployment: SafeDeployment;
  payment: Payment | null;
  /** The chain that it is paid on; null: it is no longer served. */
  paidOn: ChainInfo | null;
  /** As it was signed; null: nothing was yet. */
  ethTx: EthTx | null;
  history: HistoryEntry[];
};

/** One deployment and the transaction that carries it. For the operator. @throws Refusal `not_found` */
export async function readDeployment(ctx: Uses<"db" | "chains" | "evm">, id: string): Promise<DeploymentStory> {
  const deployment = isId("safeDeployment", id) ? await findSafeDeployment(ctx.db, id) : null;
  if (deployment === null) throw new Refusal("not_found", { detail: "There is no such deployment." });
  const [payment, history] = await Promise.all([findPayment(ctx.db, "deployment", id), listHistory(ctx.db, [id])]);
  return {
    deployment,
    payment,
    paidOn: ctx.chains.find(deployment.chain),
    ethTx: payment === null ? null : await findEthTx(ctx, deployment, payment.transfer),
    history,
  };
}
