import { findMember } from "#db/queries/members/members.ts";
import type { Member } from "#domain/member.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * The partner's member of that `external_user_id`, or else of that id.
 *
 * @throws Refusal `not_found`, for a foreign member just as for one that never was.
 */
export async function readMember(ctx: Uses<"db">, query: { partnerId: string; name: string }): Promise<Member> {
  const member = await findMember(ctx.db, query.partnerId, query.name);
  if (member === null) throw new Refusal("not_found", { detail: "There is no such member." });
  return member;
}
