import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockMember, saveMember } from "#db/queries/members/members.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import type { Member } from "#domain/member.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { deployMemberSafe } from "./deploy-member-safe.ts";

/**
 * Has a Safe deployed anew for a member whose last one failed. Two at once owe one.
 *
 * @throws Refusal `not_found`, `conflict` unless it failed, `unsupported_chain`
 */
export async function retryMemberSafe(ctx: Uses<"db" | "evm">, query: { by: By; partnerId: string; id: string }): Promise<Member> {
  const { by, partnerId, id } = query;
  return await ctx.db.transaction(async (tx) => {
    const held = await lockMember(tx, partnerId, id);
    if (held === null) throw new Refusal("not_found", { detail: "There is no such member." });
    if (held.safeStatus !== "failed")
      throw new Refusal("conflict", { detail: "Only a Safe that could not be deployed is asked for anew." });
    const now = await readBusinessNow(tx);
    const walletAddress = await deployMemberSafe(tx, ctx, held);
    const change = { safeStatus: "deploying", walletAddress, updatedAt: now } as const;
    await saveMember(tx, held.id, change);
    await insertAuditEntry(tx, { by, partnerId, action: "member.safe_requested", objectId: held.id, change: {}, now });
    return { ...held, ...change };
  });
}
