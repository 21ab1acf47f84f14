import type { Uses } from "#server/context.ts";
import type { Observe } from "#server/engines/duty.ts";
import { countMove } from "#server/engines/payments/engine.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { moveTransfer } from "#server/services/transfers/move-transfer.ts";

type Ending = { ctx: Uses<"db" | "log" | "meter">; onFinal: OnFinal; step: Observe<"final_written" | "final"> };

/** Ends a transfer of which nothing was signed, and its owner with it, in one transaction. */
export async function refuseTransfer(engine: Ending, id: string, reason: string): Promise<void> {
  const after = await engine.ctx.db.transaction(async (tx) => {
    const refused = await moveTransfer(tx, id, { type: "refuse", reason });
    if (refused === null) return null;
    await engine.onFinal(tx, [refused]);
    engine.step("final_written", id);
    return refused;
  });
  if (after === null) return;
  countMove(engine, "queued", after);
  engine.ctx.log.info({ transfer_id: id, chain: after.chain, state: after.state, reason }, "a transfer failed before anything was signed");
  engine.step("final", id);
}
