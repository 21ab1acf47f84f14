import { type AuditFilter, type AuditRow, browseAudit, listAuditActions, listPossibleActors } from "#db/queries/audit/browse-audit.ts";
import { PARTNER_ACTIONS } from "#domain/audit-sentence.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type { AuditFilter, AuditRow } from "#db/queries/audit/browse-audit.ts";
export type AuditPageRequest = { filter: AuditFilter; limit: number; cursor: string | null; direction: "older" | "newer" };
export type AuditPage = { items: AuditRow[]; older: string | null; newer: string | null };

/** A page of the audit log, newest first; its places are ids of entries. @throws Refusal `validation_failed` for what is no place. */
export async function browseAuditLog(ctx: Uses<"db">, { filter, limit, cursor, direction }: AuditPageRequest): Promise<AuditPage> {
  if (cursor !== null && !isId("audit", cursor)) {
    const errors = [{ pointer: "/cursor", code: "malformed_cursor", message: "is no cursor of this list" }];
    throw new Refusal("validation_failed", { errors });
  }
  const found = await browseAudit(ctx.db, filter, { limit: limit + 1, position: cursor, direction });
  const nearest = found.slice(0, limit);
  const items = direction === "older" ? nearest : nearest.toReversed();
  const more = found.length > limit;
  const [hasOlder, hasNewer] = direction === "older" ? [more, cursor !== null] : [cursor !== null, more];
  return { items, older: (hasOlder && items.at(-1)?.id) || null, newer: (hasNewer && items[0]?.id) || null };
}

/** What there is to choose from. A partner's people choose among what may concern a partner at all: what others ever did is not told. */
export async function listAuditChoices(
  ctx: Uses<"db">,
  { partnerId }: { partnerId?: string },
): Promise<{ actors: { id: string; name: string }[]; actions: readonly string[] }> {
  const [actors, actions] = await Promise.all([
    listPossibleActors(ctx.db, partnerId),
    partnerId === undefined ? listAuditActions(ctx.db) : PARTNER_ACTIONS,
  ]);
  return { actors, actions };
}
