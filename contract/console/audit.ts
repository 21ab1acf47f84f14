import { z } from "zod";
import { instant, instantParameter, plainText } from "#contract/primitives.ts";
import { auditActorName, type Difference, differencesOf, sentenceOf } from "#domain/audit-sentence.ts";
import { csvLine } from "#domain/csv.ts";
import { logWalkFields } from "#server/console/walk.ts";

/** The audit log as the console asks for it and shows it. */

const filterFields = {
  /** A person's id, `keys`, `people` or `system`. */
  actor: z.union([z.enum(["keys", "people", "system"]), z.uuid()]).optional(),
  action: plainText(1, 64)
    .regex(/^[a-z_]+\.[a-z_]+$/, { error: "must be an action" })
    .optional(),
  object: plainText(1, 128).optional(),
  partner_id: z.uuid().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
};
export const auditFilter = z.strictObject(filterFields);
export type AuditFilterInput = z.output<typeof auditFilter>;

export const auditPage = z.strictObject({ ...filterFields, ...logWalkFields });

export const auditOfObject = z.strictObject({ object_id: plainText(1, 128), cursor: plainText(1, 64).optional() });

/** One entry, with the names of whom and what it is about. */
export type AuditEntryWire = {
  id: string;
  at: string;
  /** Its number in the chain of seals; null: not sealed yet. */
  seq: number | null;
  actor: { type: string; name: string | null };
  action: string;
  /** What goes before and after the object's name; `mentions`: whether it is named at all. */
  sentence: { before: string; after: string; mentions: boolean };
  object: { id: string; name: string | null };
  reason: string | null;
  differences: Difference[];
  request_id: string | null;
  partner: { id: string; name: string } | null;
};

type Row = {
  id: string;
  at: Date;
  partner: { id: string; name: string } | null;
  actorType: string;
  actorName: string | null;
  actorPartnerId: string | null;
  action: string;
  objectId: string;
  objectName: string | null;
  reason: string | null;
  change: Record<string, unknown>;
  requestId: string | null;
  seq: number | null;
};

/** What the operator alone sees of its own deeds on a partner's things. */
const OWN_BUSINESS: ReadonlySet<string> = new Set(["pair_terms.set", "pair_terms.override_withdrawn"]);

/** `inside`: for the operator's people. To a partner's, the operator's people and keys are one: who of them it was is not its business. */
export function renderAuditEntry(row: Row, inside: boolean): AuditEntryWire {
  const isOurs = row.actorType === "operator_key" || (row.actorType === "user" && row.actorPartnerId === null);
  const hidden = !inside && isOurs;
  const change = !inside && OWN_BUSINESS.has(row.action) ? {} : row.change;
  return {
    id: row.id,
    at: instant(row.at),
    seq: row.seq,
    actor: hidden ? { type: "operator", name: null } : { type: row.actorType, name: row.actorName },
    action: row.action,
    sentence: sentenceOf({ ...row, change }),
    object: { id: row.objectId, name: row.objectName },
    reason: hidden && row.action !== "settlement.rejected" ? null : row.reason,
    differences: differencesOf(change),
    request_id: hidden ? null : row.requestId,
    partner: row.partner,
  };
}

/** The sentence as plain text. */
export function auditSentence({ sentence: { before, after, mentions }, object }: AuditEntryWire): string {
  return [before, mentions ? (object.name ?? object.id) : "", after].filter(Boolean).join(" ");
}

const COLUMNS = ["at", "seal", "actor", "what", "action", "object_id", "partner", "reason", "change", "request_id", "entry_id"];

export const AUDIT_CSV_HEADER = csvLine(COLUMNS);

export function auditCsvLine(entry: AuditEntryWire): string {
  const change = entry.differences.map(
    ({ field, before, after }) => `${field}: ${before === null ? "" : `${before} → `}${after ?? "nothing"}`,
  );
  return csvLine([
    entry.at,
    entry.seq === null ? "" : String(entry.seq),
    auditActorName(entry.actor),
    auditSentence(entry),
    entry.action,
    entry.object.id,
    entry.partner?.name ?? "",
    entry.reason ?? "",
    change.join("; "),
    entry.request_id ?? "",
    entry.id,
  ]);
}

type Verified = {
  at: Date;
  by: string | null;
  seq: number;
  durationMs: number;
  flaws: number;
  named: { seq: number | null; entryId: string | null; flaw: string }[];
};

export function renderVerification({ at, by, seq, durationMs, flaws, named }: Verified) {
  return {
    at: instant(at),
    by,
    seq,
    duration_ms: durationMs,
    flaws,
    named: named.map(({ seq: number, entryId, flaw }) => ({ seq: number, entry_id: entryId, flaw })),
  };
}
