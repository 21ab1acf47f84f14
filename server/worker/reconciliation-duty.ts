import type { Uses } from "#server/context.ts";
import { setReconciliation } from "#server/observe/record.ts";
import { Unreachable } from "#server/ports.ts";
import { keepTreasuryOpen } from "#server/services/ledger/keep-treasury-open.ts";
import { readReconciliations } from "#server/services/ledger/read-reconciliations.ts";
import { reconcile } from "#server/services/ledger/reconcile.ts";
import type { Duty } from "./loop.ts";

/** Once each business day: whether ledger, records and chains agree. Until then, opens the treasury's books where they are not. */
export function reconciliationDuty(ctx: Uses<"db" | "evm" | "log">): Duty {
  const opener = keepTreasuryOpen(ctx);
  return {
    name: "reconciliation",
    everyMs: 30_000,
    async run() {
      try {
        await opener.run();
        await reconcile(ctx);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        ctx.log.warn({ err: error }, "a chain cannot be asked; the reconciliation is begun again");
      }
      const [latest] = await readReconciliations(ctx, 1);
      if (latest) setReconciliation(latest);
      return "idle";
    },
  };
}
