import { tokenTransfer } from "#domain/evm-intent.ts";
import type { TransferCall } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { askChain, readOwnSafe } from "#server/services/safes/read-own-safe.ts";

export type PlanSweep = {
  chain: string;
  safeAddress: string;
  /** null: the chain's native coin. */
  tokenAddress: string | null;
  amountBase: bigint;
  recipient: string;
};

/**
 * The transaction by which a Safe hands over what is asked for, to be owed as a transfer of purpose `sweep`. Only the wallet that
 * owns the Safe may send it, and that is all the authority it needs: it names no nonce of the Safe's, so that no sweep depends on
 * what became of another, and the wallet's own nonce keeps it from happening twice. Call it outside of transactions.
 *
 * @throws Rejected where it is a fact that this Safe will not obey us or holds too little, with a sentence that may be shown;
 * Unreachable where nothing is known
 */
export async function planSweep(ctx: Uses<"db" | "evm">, sweep: PlanSweep): Promise<TransferCall> {
  const { safe, owner, chain } = await readOwnSafe(ctx, sweep);
  const { tokenAddress, recipient, amountBase } = sweep;
  const held = await askChain(chain, async (node) => {
    const head = await node.block("latest");
    if (head === null) throw new Unreachable(`${node.name} has no blocks`);
    return await node.balance(safe.address, tokenAddress, head.height);
  });
  if (held < amountBase) throw new Rejected("The Safe holds too little.");
  const call =
    tokenAddress === null ? { to: recipient, valueBase: amountBase, data: "0x" } : tokenTransfer(tokenAddress, recipient, amountBase);
  return { ...(await chain.safes.execute({ safe: safe.address, owner, call })), sender: owner };
}
