import type { Attempt } from "#db/queries/transfers/transactions.ts";
import { type EvmIntent, intentHash } from "#domain/evm-intent.ts";
import type { SignAnswer, SignOrder } from "#domain/signer.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";

export type SignedAttempt = Omit<Attempt, "broadcastAt" | "transactionId" | "number" | "signedAt">;
/** An order to the signer, and what the stored transaction says that it does. */
export type Wanted = SignOrder & { intent: EvmIntent };
/** Why the signer did not sign. */
export type NotSigned = Extract<SignAnswer, { outcome: "refused" }>;

/**
 * Has the signer sign attempts of one wallet, in one call. It derives each payment itself; what it signed is compared here with what is to be
 * stored. Nothing of it can leave for the network yet: the bytes are sealed until the signing journal has them.
 *
 * @throws SignerAway
 */
export async function signAttempts(pass: Pass, wallet: LeasedWallet, wanted: readonly Wanted[]): Promise<(SignedAttempt | NotSigned)[]> {
  const { chain } = pass.chain;
  const { address } = wallet.row;
  const orders = wanted.map(({ intent: _, ...order }) => order);
  const answers = await pass.engine.ctx.signers.sign({ chain, wallet: address, orders });
  return wanted.map(({ intent, kind, gasLimit, fees }, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error("the signer has not answered each order");
    if (answer.outcome === "refused") return answer;
    const { hash, bytes: rawBytes } = answer;
    if (answer.intentHash !== intentHash(chain, address, intent))
      return { outcome: "refused", kind: "unsigned", reason: "The signer signed something else than the payment." };
    return { hash, kind, rawBytes, gasLimit, ...fees };
  });
}

/** One attempt, as {@link signAttempts}. */
export async function signAttempt(pass: Pass, wallet: LeasedWallet, wanted: Wanted): Promise<SignedAttempt | NotSigned> {
  const [answer] = await signAttempts(pass, wallet, [wanted]);
  if (answer === undefined) throw new Error("the signer has not answered");
  return answer;
}

export function isNotSigned(answer: SignedAttempt | NotSigned): answer is NotSigned {
  return "outcome" in answer;
}
