import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findMemberById, lockMember, saveMember } from "#db/queries/members/members.ts";
import { insertSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import type { By } from "#domain/access.ts";
import type { EvmBlock } from "#domain/evm-chain.ts";
import type { Member } from "#domain/member.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SafeInfo } from "#domain/safe.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Uses } from "#server/context.ts";
import { newDeployment, newSaltNonce } from "#server/services/safes/ask-deployment.ts";
import { askChain } from "#server/services/safes/read-own-safe.ts";
import { readMember } from "./read-members.ts";

/**
 * A member's Safe as it is on the chain now, no matter who deployed it (contract, part 6).
 *
 * @throws Refusal `not_found`: no such member, no Safe yet, or a wallet that is not a Safe
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

export type SafeSeen = {
  /** null: the contract at the address is not a Safe. */
  safe: SafeInfo | null;
  /** The block as of which the balances are; the Safe is as of this one or a later one. */
  block: Pick<EvmBlock, "height" | "at">;
  balances: { token: TokenInfo; amountBase: bigint }[];
};

/**
 * The wallet of a member (of this partner, where given) as it is on the chain now: whether and which Safe it is, and its balances of the
 * chain's tokens.
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
  if (chain === null) throw new Refusal("unsupported_chain", { detail: "Wallets on this chain cannot be read." });
  return await askChain(chain, async (node) => {
    const block = await node.block("latest");
    if (block === null) throw new Error(`${node.name} has no latest block`);
    const balance = async (token: TokenInfo) => ({ token, amountBase: await node.balance(walletAddress, token.address, block.height) });
    const [safe, ...balances] = await Promise.all([node.safe(walletAddress), ...chain.tokens.map(balance)]);
    return { safe, block: { height: block.height, at: block.at }, balances };
  });
}

/**
 * Enqueues the deployment of a member's Safe, version 1.4.1 and owned only by the service's wallet, in the caller's transaction. The member
 * is `deploying` until the chain confirms it. A repeat changes nothing, unless the last one failed.
 *
 * @param trace the `traceparent` of the request
 * @returns the Safe's future address; null while it is unknown and the worker has to compute it
 * @throws Refusal `unsupported_chain`
 */
export async function deployMemberSafe(
  tx: Database,
  ctx: Uses<"evm">,
  member: Member,
  trace: string | null = null,
): Promise<string | null> {
  const { id: memberId, partnerId, chain } = member;
  if (ctx.evm.find(chain) === null) {
    const message = "Safes are not supported on this chain: give the member a wallet.";
    throw new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
  }
  const order = { kind: "safe", chain, version: "1.4.1", owners: null, threshold: 1, saltNonce: newSaltNonce() } as const;
  await insertSafeDeployment(tx, await newDeployment(tx, { ...order, memberId, partnerId, trace }));
  return null;
}

type RetrySafe = { by: By; partnerId: string; id: string; trace?: string | null };

/**
 * Has a Safe deployed again for a member whose last one failed. Two at once owe one.
 *
 * @throws Refusal `not_found`, `conflict` unless it failed, `unsupported_chain`
 */
export async function retryMemberSafe(ctx: Uses<"db" | "evm">, query: RetrySafe): Promise<Member> {
  const { by, partnerId, id, trace = null } = query;
  return await ctx.db.transaction(async (tx) => {
    const held = await lockMember(tx, partnerId, id);
    if (held === null) throw new Refusal("not_found", { detail: "There is no such member." });
    if (held.safeStatus !== "failed")
      throw new Refusal("conflict", { detail: "You can request a Safe again only if it could not be deployed." });
    const now = await readBusinessNow(tx);
    const walletAddress = await deployMemberSafe(tx, ctx, held, trace);
    const change = { safeStatus: "deploying", walletAddress, updatedAt: now } as const;
    await saveMember(tx, held.id, change);
    await insertAuditEntry(tx, { by, partnerId, action: "member.safe_requested", objectId: held.id, change: {}, now });
    return { ...held, ...change };
  });
}
