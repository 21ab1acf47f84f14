import { countUnsealed, findLastSeal, findLastVerification, type Verification } from "#db/queries/audit/audit-seals.ts";
import { type AuditFilter, type AuditRow, browseAudit, listPossibleActors } from "#db/queries/audit/browse-audit.ts";
import type { By } from "#domain/access.ts";
import { mayConcernPartner, WORDED_ACTIONS } from "#domain/audit-sentence.ts";
import { type Walk, type Walked, walkAll, walkPage } from "#domain/page.ts";
import { TOPUP_STEPS } from "#domain/topup.ts";
import { WITHDRAWAL_STEPS } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";
import { recordExport } from "./record-export.ts";

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

/** The values of the filters. Partners' users see only those that can concern a partner, so the list reveals nothing of others. */
export async function listAuditChoices(
  ctx: Uses<"db">,
  { partnerId }: { partnerId?: string },
): Promise<{ actors: { id: string; name: string }[]; actions: readonly string[] }> {
  const actors = await listPossibleActors(ctx.db, partnerId);
  return { actors, actions: partnerId === undefined ? ACTIONS : ACTIONS.filter(mayConcernPartner) };
}

const steps = (kind: string, each: readonly string[]) => [...each, "cancelled"].map((step) => `${kind}.${step}`);
/** Every action that the service records. To find those that the log has, PostgreSQL would read all of it. */
const ACTIONS: readonly string[] = [
  ...new Set([...WORDED_ACTIONS, ...steps("withdrawal", WITHDRAWAL_STEPS), ...steps("topup", TOPUP_STEPS)]),
].toSorted();

/** Everything that matches the filter, newest first, read batch by batch on demand. The export is itself an audit entry. */
export async function exportAuditLog(
  ctx: Uses<"db">,
  { by, filter, asked }: { by: By; filter: AuditFilter; asked: Record<string, unknown> },
): Promise<AsyncGenerator<readonly AuditRow[]>> {
  await recordExport(ctx, { by, what: "audit", objectId: "audit_log", change: asked });
  return walkAll<AuditRow, string>(
    (walk) => browseAudit(ctx.db, filter, walk),
    ({ id }) => id,
  );
}

export type SealState = {
  /** The number of the last seal; 0: none yet. */
  seq: number;
  /** Entries that wait for their seal. */
  unsealed: number;
  verification: (Verification & { by: string | null }) | null;
};

/** How far the audit log is sealed, and what was found when it was last computed again. */
export async function readSealState(ctx: Uses<"db">): Promise<SealState> {
  const [last, unsealed, verification] = await Promise.all([findLastSeal(ctx.db), countUnsealed(ctx.db), findLastVerification(ctx.db)]);
  return { seq: last?.seq ?? 0, unsealed, verification };
}
