import { browseSafeDeployments, type DeploymentFilter, findSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { findPayment, type HistoryEntry, listHistory, type Payment } from "#db/queries/settlements/settlement-story.ts";
import { findTransaction } from "#db/queries/transfers/transactions.ts";
import { createdAddress } from "#domain/contract-address.ts";
import { isId } from "#domain/ids.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { EthTx, SafeDeployment } from "#domain/safe-deployment.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";

export type { DeploymentFilter } from "#db/queries/safes/safe-deployments.ts";

/** For the operator: Safes and the contracts that they need, newest request first. */
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

/** The attempt that is in a block, else the latest: its fields are the stored ones that were signed. */
export async function findEthTx(ctx: Uses<"db" | "evm">, deployment: SafeDeployment, transfer: Transfer): Promise<EthTx | null> {
  const transaction = await findTransaction(ctx.db, transfer.id);
  const chain = ctx.evm.find(transfer.chain);
  if (transaction === null || chain === null) return null;
  const payments = transaction.attempts.filter(({ kind }) => kind === "payment");
  const attempt = payments.find(({ hash }) => hash === transfer.txHash) ?? payments.at(-1);
  if (!attempt) return null;
  const { intent, nonce, walletAddress: from } = transaction;
  return {
    txHash: attempt.hash,
    contractAddress: deployment.address ?? createdAddress(from, nonce),
    from,
    ...intent,
    gas: attempt.gasLimit,
    nonce,
    chainId: chain.chainId,
  };
}
