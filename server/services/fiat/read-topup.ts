import { findTopup } from "#db/queries/fiat/topups.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Topup } from "#domain/topup.ts";
import type { Uses } from "#server/context.ts";

/**
 * The top-up of that id; with a partner named, only that partner's.
 *
 * @throws Refusal `not_found`, for a foreign id just as for one that never was.
 */
export async function readTopup(ctx: Uses<"db">, query: { partnerId?: string; id: string }): Promise<Topup> {
  const topup = isId("topup", query.id) ? await findTopup(ctx.db, query.id, query.partnerId) : null;
  if (topup === null) throw new Refusal("not_found", { detail: "There is no such top-up." });
  return topup;
}
