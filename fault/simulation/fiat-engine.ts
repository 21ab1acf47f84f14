import type { Database } from "#db/client.ts";
import type { Transfer, TransferPurpose } from "#domain/transfer.ts";
import type { Duty } from "#server/engines/duty.ts";
import { fiatDuties } from "#server/engines/fiat-orders/duties.ts";
import { createFiatEngine, type FiatEngine } from "#server/engines/fiat-orders/engine.ts";
import { completeReturn, completeSweep, completeTopup } from "#server/services/fiat/change-orders.ts";
import { planSweepOf } from "./fiat-world.ts";
import type { Gate } from "./gate.ts";
import type { PaymentWorld } from "./world.ts";

export type OrderPowers = FiatEngine["ctx"];

/** A worker's duties with top-ups and withdrawals, by the service's own code; none in a world without them. */
export function dutiesOfOrders(world: PaymentWorld, gate: Gate, ctx: OrderPowers): Duty[] {
  if (world.fiat === null) return [];
  const rail = world.fiat.provider.railFor(gate);
  return fiatDuties(createFiatEngine({ ctx, rails: { of: () => rail }, planSweep: planSweepOf(world) }));
}

const COMPLETED: Partial<Record<TransferPurpose, (tx: Database, transfer: Transfer) => Promise<void>>> = {
  topup: completeTopup,
  sweep: completeSweep,
  return: completeReturn,
};

/** What final transfers of orders lead to, in the transaction that ends them. */
export async function completeOrders(tx: Database, transfers: readonly Transfer[]): Promise<void> {
  for (const transfer of transfers) await COMPLETED[transfer.purpose]?.(tx, transfer);
}
