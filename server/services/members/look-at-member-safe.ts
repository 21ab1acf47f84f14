import { findMemberById } from "#db/queries/members/members.ts";
import type { EvmBlock } from "#domain/evm-chain.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SafeInfo } from "#domain/safe.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Uses } from "#server/context.ts";
import { askChain } from "#server/services/safes/ask-chain.ts";

export type SafeSeen = {
  /** null: what stands at the address is no Safe. */
  safe: SafeInfo | null;
  /** The block as of which the balances are; the Safe is as of this one or a later one. */
  block: Pick<EvmBlock, "height" | "at">;
  balances: { token: TokenInfo; amountBase: bigint }[];
};

/**
 * The wallet of a member, of this partner where one is named, as the chain has it now: whether it is a Safe and which, and what it holds of the chain's tokens.
 *
 * @throws Refusal `not_found`: no such member, or no address yet; `unsupported_chain` where nothing can be read
 * @throws Unreachable when no node answers
 */
export async function lookAtMemberSafe(ctx: Uses<"db" | "evm">, query: { id: string; partnerId?: string }): Promise<SafeSeen> {
  const member = await findMemberById(ctx.db, query.id, query.partnerId);
  if (member === null) throw new Refusal("not_found", { detail: "There is no such member." });
  const { walletAddress } = member;
  if (walletAddress === null) throw new Refusal("not_found", { detail: "The member has no wallet yet." });
  const chain = ctx.evm.find(member.chain);
  if (chain === null) throw new Refusal("unsupported_chain", { detail: "Wallets on this chain cannot be looked at." });
  return await askChain(chain, async (node) => {
    const block = await node.block("latest");
    if (block === null) throw new Error(`${node.name} has no latest block`);
    const balance = async (token: TokenInfo) => ({ token, amountBase: await node.balance(walletAddress, token.address, block.height) });
    const [safe, ...balances] = await Promise.all([node.safe(walletAddress), ...chain.tokens.map(balance)]);
    return { safe, block: { height: block.height, at: block.at }, balances };
  });
}
