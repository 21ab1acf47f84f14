import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockMember, saveMember } from "#db/queries/members/members.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { By } from "#domain/access.ts";
import { type Member, phoneTaken } from "#domain/member.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type UpdateMember = {
  by: By;
  partnerId: string;
  /** `external_user_id` or id. */
  name: string;
  /** What is left out stays as it is. */
  change: Partial<Pick<Member, "phone" | "name" | "email">>;
};

/**
 * Changes what a partner tells of its member. The audit log keeps which fields changed, not what stood in them: it cannot be
 * corrected, and people's data must be.
 *
 * @throws Refusal `not_found`, `conflict` for a phone that another member has.
 */
export async function updateMember(ctx: Uses<"db">, { by, partnerId, name, change }: UpdateMember): Promise<Member> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const held = await lockMember(tx, partnerId, name);
      if (held === null) throw new Refusal("not_found", { detail: "There is no such member." });
      const now = await readBusinessNow(tx);
      const member = { ...held, ...change, updatedAt: now };
      await saveMember(tx, held.id, { ...change, updatedAt: now });
      const fields = Object.keys(change);
      await insertAuditEntry(tx, { by, partnerId, action: "member.updated", objectId: held.id, change: { fields }, now });
      return member;
    });
  } catch (error) {
    if (isUniqueViolation(error, "members_phone")) throw phoneTaken();
    throw error;
  }
}
