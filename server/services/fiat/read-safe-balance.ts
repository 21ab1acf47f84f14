import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { Unreachable } from "#server/ports.ts";

export type SafeHolding = { chain: string; safeAddress: string; tokenAddress: string | null };

/**
 * A Safe's balance of a token, in base units, from the first node that answers. Call it outside of transactions.
 *
 * @throws Refusal `unsupported_chain`, `temporarily_unavailable` when no node of the chain answers.
 */
export async function readSafeBalance(ctx: Uses<"evm">, { chain, safeAddress, tokenAddress }: SafeHolding): Promise<bigint> {
  const found = ctx.evm.find(chain);
  if (found === null) throw new Refusal("unsupported_chain", { detail: "Withdrawals are not possible on this chain." });
  for (const node of found.nodes) {
    try {
      const head = await node.block("latest");
      if (head !== null) return await node.balance(safeAddress, tokenAddress, head.height);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  throw new Refusal("temporarily_unavailable", { detail: "The chain does not answer right now.", retryAfterSeconds: 5 });
}
