import { type AuditFilter, type AuditRow, browseAudit, listAuditActions, listPossibleActors } from "#db/queries/audit/browse-audit.ts";
import { PARTNER_ACTIONS } from "#domain/audit-sentence.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { Uses } from "#server/context.ts";

export type { AuditFilter, AuditRow } from "#db/queries/audit/browse-audit.ts";

/** A page of the audit log, newest first; its places are ids of entries. */
export async function browseAuditLog(
  ctx: Uses<"db">,
  { filter, ...walk }: { filter: AuditFilter } & Walk<string>,
): Promise<Walked<AuditRow, string>> {
  return await walkPage(
    walk,
    (each) => browseAudit(ctx.db, filter, each),
    ({ id }) => id,
  );
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
