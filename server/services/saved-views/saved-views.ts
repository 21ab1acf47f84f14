import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import {
  countSavedViewsOf,
  deleteSavedView as deleteRow,
  insertSavedView,
  listSavedViews as listRows,
  lockSavedView,
  type SavedView,
  saveSavedView,
  type Viewer,
} from "#db/queries/people/saved-views.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { ByPerson } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type CreateSavedView = {
  by: ByPerson;
  name: string;
  /** Seen by everybody of the person's organisation. */
  shared: boolean;
  params: Record<string, string>;
};

const MOST = 50;

/**
 * Keeps a view of a list under a name. Answers its id.
 *
 * @throws Refusal `conflict` for a name that the person uses already, or for one view too many.
 */
export async function createSavedView(ctx: Uses<"db">, { by, name, shared, params }: CreateSavedView): Promise<string> {
  const { userId, partnerId } = by.actor;
  try {
    return await ctx.db.transaction(async (tx) => {
      if ((await countSavedViewsOf(tx, userId)) >= MOST) {
        throw new Refusal("conflict", { detail: `You already keep ${MOST} views. Delete one first.` });
      }
      const now = await readBusinessNow(tx);
      const id = newId("savedView", now);
      await insertSavedView(tx, { id, ownerId: userId, partnerId, name, shared, params, createdAt: now, updatedAt: now });
      await insertAuditEntry(tx, { by, partnerId, action: "saved_view.created", objectId: id, change: { name, shared, params }, now });
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error, "saved_views_name")) throw new Refusal("conflict", { detail: `You already have a view named “${name}”.` });
    throw error;
  }
}

export type UpdateSavedView = {
  by: ByPerson;
  id: string;
  /** Omitted fields stay as they are. */
  change: { name?: string; shared?: boolean; params?: Record<string, string> };
};

/**
 * Renames one of the person's own views, shares or unshares it, or changes its content.
 *
 * @throws Refusal `not_found` unless it is the person's own view, `conflict` for a name that the person uses already.
 */
export async function updateSavedView(ctx: Uses<"db">, { by, id, change }: UpdateSavedView): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
      const held = await lockSavedView(tx, id, by.actor);
      if (held === null) throw new Refusal("not_found", { detail: "You have no such view." });
      const now = await readBusinessNow(tx);
      await saveSavedView(tx, { ...held, ...change, updatedAt: now });
      const { partnerId } = by.actor;
      await insertAuditEntry(tx, { by, partnerId, action: "saved_view.updated", objectId: id, change, now });
    });
  } catch (error) {
    if (isUniqueViolation(error, "saved_views_name")) throw new Refusal("conflict", { detail: "Another view of yours has this name." });
    throw error;
  }
}

/** @throws Refusal `not_found` unless it is the person's own view. */
export async function deleteSavedView(ctx: Uses<"db">, { by, id }: { by: ByPerson; id: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const held = await lockSavedView(tx, id, by.actor);
    if (held === null) throw new Refusal("not_found", { detail: "You have no such view." });
    await deleteRow(tx, id);
    const { partnerId } = by.actor;
    await insertAuditEntry(tx, { by, partnerId, action: "saved_view.deleted", objectId: id, change: { name: held.name } });
  });
}

/** The views that a person may choose from: the own, and those that others of the same organisation share. */
export async function listSavedViews(ctx: Uses<"db">, viewer: Viewer): Promise<(SavedView & { ownerName: string })[]> {
  return await listRows(ctx.db, viewer);
}
