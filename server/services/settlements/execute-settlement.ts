import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockSettlements } from "#db/queries/settlements/settlements.ts";
import { SYSTEM } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { postSettlements } from "#server/services/ledger/post-orders.ts";
import { changeSettlements } from "./change-settlement.ts";

type Fact = { settlementId: string; partnerId?: string | null; txHash: string };

/** Transfers are final on the chain (specification, part 3): their settlements are executed, posted, and the terminal callbacks owed. */
export async function executeSettlements(tx: Database, facts: readonly Fact[]): Promise<void> {
  const hashes = new Map(facts.map(({ settlementId, txHash }) => [settlementId, txHash]));
  const locked = await lockSettlements(
    tx,
    facts.map(({ settlementId: id, partnerId }) => (partnerId ? { id, partnerId } : { id })),
  );
  if (locked.length !== facts.length) throw new Refusal("settlement_not_found");
  const now = await readBusinessNow(tx);
  const changes = locked.map((settlement) => {
    const txHash = hashes.get(settlement.id) ?? "";
    return { settlement, action: { type: "execute", txHash } as const, by: SYSTEM, note: { change: { tx_hash: txHash } } };
  });
  await postSettlements(tx, await changeSettlements(tx, changes, now), now);
}
