import { slugIsTaken } from "#db/queries/partners/partners.ts";
import type { Uses } from "#server/context.ts";

/** Whether a slug is free at this moment; creating decides. */
export async function slugIsFree(ctx: Uses<"db">, slug: string): Promise<boolean> {
  return !(await slugIsTaken(ctx.db, slug));
}
