import { listUnheld } from "#db/queries/transfers/transactions.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { Pass } from "#server/engines/payments/engine.ts";

const AT_ONCE = 256;

/**
 * Says so where a payment is signed and nobody looks after it, because its wallet has gone from the configuration or its signer cannot
 * be opened: it may never reach a block. Found in a block all the same, it ends as any other. To be called once the wallets are held.
 */
export async function recordUnleased({ chain, engine }: Pass): Promise<void> {
  const { db, log } = engine.ctx;
  for (const { transferId, wallet } of await listUnheld(db, chain.chain, AT_ONCE)) {
    const reason = `It is signed by treasury wallet ${wallet}, which no worker holds: give that wallet back to the configuration.`;
    log.error({ transfer_id: transferId, chain: chain.chain, wallet }, "a signed payment has no worker for its wallet");
    await restTransfers(db, [transferId], { kind: "review", reason, restMs: 0 });
  }
}
