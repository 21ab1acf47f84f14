import type { Database } from "#db/client.ts";
import { SYSTEM } from "#domain/access.ts";
import { postSettlement } from "#server/services/ledger/post-settlement.ts";
import { changeSettlement, holdSettlement } from "./change-settlement.ts";

/** The transfer is final on the chain (specification, part 3): the settlement is executed, posted, and the terminal callback owed. */
export async function executeSettlement(tx: Database, fact: { settlementId: string; txHash: string }): Promise<void> {
  const held = await holdSettlement(tx, fact.settlementId);
  const executed = await changeSettlement(tx, held, { type: "execute", txHash: fact.txHash }, SYSTEM, { change: { tx_hash: fact.txHash } });
  await postSettlement(tx, executed, held.now);
}
