import { restOrder } from "#db/queries/fiat/fiat-work.ts";
import { providerScope } from "#domain/fiat.ts";
import { isHalted } from "#server/services/halts/halt-scope.ts";
import type { FiatEngine, LeasedOrder } from "./engine.ts";

const SECONDS = 60;

/** Postpones an order while its provider is halted: nothing is begun that would end in a payment by it. */
export async function restWhileHalted({ ctx: { db } }: FiatEngine, { table, lease }: LeasedOrder, provider: string): Promise<boolean> {
  if (!(await isHalted(db, [providerScope(provider)]))) return false;
  await restOrder(db, table, lease, { seconds: SECONDS, reason: `The fiat provider ${provider} is halted.`, tried: false });
  return true;
}
