import type { Database } from "#db/client.ts";
import { SYSTEM } from "#domain/access.ts";
import { changeSettlement, lockExistingSettlement } from "./change-settlement.ts";

/** Fails a settlement after proof, never after silence, that nothing was or will be paid. Enqueues the terminal callback. */
export async function failSettlement(
  tx: Database,
  fact: { settlementId: string; partnerId?: string | null; reason: string },
): Promise<void> {
  const locked = await lockExistingSettlement(tx, fact.settlementId, fact.partnerId ? { partnerId: fact.partnerId } : {});
  await changeSettlement(tx, locked, { type: "fail", reason: fact.reason }, SYSTEM, { reason: fact.reason });
}
