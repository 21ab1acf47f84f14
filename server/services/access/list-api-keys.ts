import { type KeyListing, listApiKeys as listKeys } from "#db/queries/access/api-keys.ts";
import type { Page, PageRequest } from "#db/search.ts";
import type { Uses } from "#server/context.ts";

export type ListApiKeys = PageRequest & {
  /** Left out: all there are; null: the operator's own. */
  partnerId?: string | null;
  /** Only expired or revoked ones (real time), or only valid ones. */
  ended?: boolean;
};

/** Keys, newest first, without what opens anything. */
export async function listApiKeys(ctx: Uses<"db" | "clock">, { partnerId, ended, ...page }: ListApiKeys): Promise<Page<KeyListing>> {
  const filter = {
    ...(partnerId !== undefined && { partnerId }),
    ...(ended !== undefined && { ended: { by: ctx.clock.now(), whether: ended } }),
  };
  return await listKeys(ctx.db, filter, page);
}
