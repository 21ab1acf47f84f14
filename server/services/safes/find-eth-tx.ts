import { findTransaction } from "#db/queries/transfers/transactions.ts";
import { createdAddress } from "#domain/contract-address.ts";
import type { EthTx, SafeDeployment } from "#domain/safe-deployment.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";

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
