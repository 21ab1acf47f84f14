import { type BrowsedMember, browseMembers as browseRows, type MemberFilter } from "#db/queries/members/browse-members.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

export type { BrowsedMember, MemberFilter } from "#db/queries/members/browse-members.ts";

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
