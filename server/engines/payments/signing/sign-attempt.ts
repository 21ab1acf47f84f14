import type { Attempt } from "#db/queries/transfers/transactions.ts";
import type { EvmFees } from "#domain/evm-fees.ts";
import type { EvmIntent } from "#domain/evm-intent.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";

export type SignedAttempt = Omit<Attempt, "broadcastAt" | "transactionId" | "number" | "signedAt">;

/**
 * Signs one attempt. What the signer answers is decoded and compared before anybody may store it; nothing of it has left for the
 * network yet.
 *
 * @throws Unreachable, Rejected
 */
export async function signAttempt(
  pass: Pass,
  wallet: LeasedWallet,
  wanted: { kind: Attempt["kind"]; intent: EvmIntent; nonce: number; gasLimit: bigint; fees: EvmFees },
): Promise<SignedAttempt> {
  const { intent, nonce, gasLimit, fees } = wanted;
  const { to, valueBase, data } = intent;
  const unsigned = { to, valueBase, data, chainId: pass.chain.chainId, nonce, gasLimit, ...fees };
  const { signer, row } = wallet;
  const rawBytes = await signer.signTransaction(unsigned);
  const hash = await pass.chain.checkSigned(rawBytes, unsigned, signer.isOurs ? null : row.address);
  return { hash, kind: wanted.kind, rawBytes, gasLimit, ...fees };
}
