import type { Database } from "#db/client.ts";
import { SYSTEM } from "#domain/access.ts";
import { changeSettlement, lockExistingSettlement } from "./change-settlement.ts";

/** A fact, never a silence, says that nothing was and will be paid: the settlement failed and the terminal callback is owed. */
export async function failSettlement(
  tx: Database,
  fact: { settlementId: string; partnerId?: string | null; reason: string },
): Promise<void> {
  const held = await lockExistingSettlement(tx, fact.settlementId, fact.partnerId ? { partnerId: fact.partnerId } : {});
  await changeSettlement(tx, held, { type: "fail", reason: fact.reason }, SYSTEM, { reason: fact.reason });
}
