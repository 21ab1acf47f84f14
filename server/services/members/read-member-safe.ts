import { Refusal } from "#domain/refusal.ts";
import type { SafeInfo } from "#domain/safe.ts";
import type { Uses } from "#server/context.ts";
import { askChain } from "#server/services/safes/ask-chain.ts";
import { readMember } from "./read-member.ts";

/**
 * A member's Safe as the chain has it now, whoever deployed it (contract, part 6).
 *
 * @throws Refusal `not_found`: no such member, no Safe yet, or a wallet that is no Safe
 * @throws Unreachable when no node answers
 */
export async function readMemberSafe(ctx: Uses<"db" | "evm">, query: { partnerId: string; name: string }): Promise<SafeInfo> {
  const member = await readMember(ctx, query);
  if (member.safeStatus === "failed") throw noSafe("The member's Safe could not be deployed.");
  if (member.safeStatus === "deploying" || member.walletAddress === null) throw noSafe("The member's Safe is not deployed yet.");
  const { walletAddress } = member;
  const chain = ctx.evm.find(member.chain);
  const safe = chain === null ? null : await askChain(chain, (node) => node.safe(walletAddress));
  if (safe === null) throw noSafe("The member's wallet is no Safe.");
  return safe;
}

function noSafe(detail: string): Refusal {
  return new Refusal("not_found", { detail });
}
