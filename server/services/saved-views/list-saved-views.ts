import { listSavedViews as listRows, type SavedView, type Viewer } from "#db/queries/people/saved-views.ts";
import type { Uses } from "#server/context.ts";

/** The views that a person may choose from: the own, and those that others of the same organisation share. */
export async function listSavedViews(ctx: Uses<"db">, viewer: Viewer): Promise<(SavedView & { ownerName: string })[]> {
  return await listRows(ctx.db, viewer);
}
