import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { type HintCounts, unacknowledged } from "#domain/risk-hint.ts";
import type { Uses } from "#server/context.ts";

type Acknowledgement = { by: By; objectId: string; found: HintCounts; acknowledged: HintCounts; now: Date };

/**
 * A person approves only after they acknowledged each hint that holds, for as many settlements as it holds for. The audit log keeps which ones
 * they acknowledged. The entry is internal: partners must not learn what is checked.
 *
 * @throws Refusal `validation_failed` (with `unacknowledged_hints`) if one is missing
 */
export async function acknowledgeHints(ctx: Uses<"db">, { by, objectId, found, acknowledged, now }: Acknowledgement): Promise<void> {
  const missing = unacknowledged(found, acknowledged);
  if (missing.length > 0) {
    const message = `must acknowledge ${missing.join(", ")}`;
    throw new Refusal("validation_failed", {
      detail:
        missing.length === 1
          ? "A warning is not acknowledged. Read it and tick it first."
          : `${missing.length} warnings are not acknowledged. Read and tick them first.`,
      errors: [{ pointer: "/acknowledged_hints", code: "required", message }],
      members: { unacknowledged_hints: missing },
    });
  }
  if (found.size === 0) return;
  const change = { hints: [...found.keys()].join(", ") };
  await insertAuditEntry(ctx.db, { by, partnerId: null, action: "settlement.hints_acknowledged", objectId, reason: null, change, now });
}
