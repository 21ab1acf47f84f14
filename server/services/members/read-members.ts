import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import {
  type BrowsedMember,
  browseMembers as browseRows,
  countMembers,
  findMember,
  listMembers as listOf,
  type MemberFilter,
} from "#db/queries/members/members.ts";
import type { Page, PageRequest } from "#db/search.ts";
import type { Member } from "#domain/member.ts";
import { type Place, type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * The partner's member with that `external_user_id`, or else with that id.
 *
 * @throws Refusal `not_found`, for a foreign member just as for one that never existed.
 */
export async function readMember(ctx: Uses<"db">, query: { partnerId: string; name: string }): Promise<Member> {
  const member = await findMember(ctx.db, query.partnerId, query.name);
  if (member === null) throw new Refusal("not_found", { detail: "There is no such member." });
  return member;
}

export type ListMembers = PageRequest & { partnerId: string; position: Place | null };

/**
 * The partner's members, newest first, beyond a place where one is named. `search` looks into reference, phone, name and e-mail address.
 * `older`: where the next page begins; null: this is the last.
 */
export async function listMembers(ctx: Uses<"db">, query: ListMembers): Promise<Page<Member> & { older: Place | null }> {
  const { partnerId, limit, position, ...more } = query;
  const read = (walk: Walk) => listOf(ctx.db, partnerId, { ...more, ...walk });
  const { items, older } = await walkPage({ limit, position, direction: "older" }, read, (member) => member);
  return { items, older, total: await countMembers(ctx.db, partnerId, more) };
}

export type { BrowsedMember, MemberFilter } from "#db/queries/members/members.ts";

const VOLUME_DAYS = 30;
const DAY_MS = 86_400_000;

/** The members of a partner, or of all, newest first, with what each topped up and withdrew within 30 days. */
export async function browseMembers(ctx: Uses<"db">, query: { filter: MemberFilter } & Walk): Promise<Walked<BrowsedMember>> {
  const { filter, ...walk } = query;
  const since = await volumeSince(ctx);
  return await walkPage(
    walk,
    (each) => browseRows(ctx.db, filter, each, since),
    ({ member }) => member,
  );
}

/** From when on (business time) a member's volume is counted. */
export async function volumeSince(ctx: Uses<"db">): Promise<Date> {
  return new Date((await readBusinessNow(ctx.db)).getTime() - VOLUME_DAYS * DAY_MS);
}
