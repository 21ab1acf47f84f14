import { restOrder } from "#db/queries/fiat/fiat-work.ts";
import { PROVIDER_LANE } from "#domain/fiat.ts";
import { isHalted } from "#server/services/halts/halt-lane.ts";
import type { FiatEngine, HeldOrder } from "./engine.ts";

const SECONDS = 60;

/** Puts an order off while the provider's lane is halted: nothing is begun that ends in its moving money. */
export async function restWhileHalted({ ctx: { db } }: FiatEngine, { table, lease }: HeldOrder): Promise<boolean> {
  if (!(await isHalted(db, [PROVIDER_LANE]))) return false;
  await restOrder(db, table, lease, { seconds: SECONDS, reason: "The fiat provider's lane is halted.", tried: false });
  return true;
}
