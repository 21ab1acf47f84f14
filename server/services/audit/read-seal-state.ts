import { countUnsealed, findLastSeal } from "#db/queries/audit/audit-seals.ts";
import { findLastVerification, type Verification } from "#db/queries/audit/audit-verifications.ts";
import type { Uses } from "#server/context.ts";

export type SealState = {
  /** The number of the last seal; 0: none yet. */
  seq: number;
  /** Entries that wait for their seal. */
  unsealed: number;
  verification: (Verification & { by: string | null }) | null;
};

/** How far the audit log is sealed, and what was found when it was last computed anew. */
export async function readSealState(ctx: Uses<"db">): Promise<SealState> {
  const [last, unsealed, verification] = await Promise.all([findLastSeal(ctx.db), countUnsealed(ctx.db), findLastVerification(ctx.db)]);
  return { seq: last?.seq ?? 0, unsealed, verification };
}
