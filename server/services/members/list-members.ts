import { listMembers as listOf } from "#db/queries/members/members.ts";
import type { Page, PageRequest } from "#db/search.ts";
import type { Member } from "#domain/member.ts";
import type { Uses } from "#server/context.ts";

/** The partner's members, newest first. `search` looks into reference, phone, name and e-mail address. */
export async function listMembers(ctx: Uses<"db">, query: PageRequest & { partnerId: string }): Promise<Page<Member>> {
  return await listOf(ctx.db, query.partnerId, query);
}
