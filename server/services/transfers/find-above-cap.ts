import type { Database } from "#db/client.ts";
import { ABOVE_CAP_SIGNERS, type AboveCap, aboveCapFault } from "#domain/above-cap.ts";
import type { DecisionRecord } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";
import { findSigners, type Signed } from "#server/services/proposals/find-signers.ts";

/** By the transfer's id, why the payment stays below the cap; null: two people let it go above. */
export type FindAboveCap = (db: Database, payments: readonly AboveCap[]) => Promise<ReadonlyMap<string, string | null>>;
type Powers = Uses<"passkeys" | "mode" | "clock">;

/** Whether two different admins have signed that exactly this payment goes above the cap (docs/decisions/signed-decisions.md). */
export function aboveCapOf(ctx: Powers): FindAboveCap {
  return async (db, payments) => {
    const found = await findCapSigners({ ...ctx, db }, payments);
    return new Map([...found].map(([id, signed]) => [id, shortfall(signed)]));
  };
}

/** Whose signatures count, by the transfer's id. */
export async function findCapSigners(ctx: Powers & { db: Database }, payments: readonly AboveCap[]): Promise<Map<string, Signed>> {
  const now = ctx.clock.now();
  const asked = payments.map((payment) => ({
    id: payment.transfer.id,
    fault: (record: DecisionRecord) => aboveCapFault(record, payment, now),
  }));
  return await findSigners(ctx, "payment.above_cap", asked);
}

function shortfall({ signers, faults }: Signed): string | null {
  if (signers.length >= ABOVE_CAP_SIGNERS) return null;
  const uncounted = faults.length === 0 ? "" : ` A signature does not count: ${[...new Set(faults)].join(", ")}.`;
  return signers.length + faults.length === 0 ? "" : `${signers.length} of ${ABOVE_CAP_SIGNERS} have signed.${uncounted}`;
}
