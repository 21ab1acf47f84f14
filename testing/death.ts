import type { Database } from "#db/client.ts";
import type { Observe } from "#server/engines/duty.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { TestChain } from "./chain.ts";

/** A killed process: its further database calls fail, so that nothing of its engine can clean up after it. */
export class Died extends Error {
  override readonly name = "Died";
}

/**
 * The powers of a worker that may be killed: where `observe` throws at a step, nothing reaches the database from then on. What the
 * engine makes of the error is its own affair.
 */
export function mortal<Powers extends { db: Database }, Step extends string>(
  ctx: Powers,
  observe: Observe<Step> | undefined,
): { ctx: Powers; observe: Observe<Step> } {
  let death: unknown = null;
  const db = new Proxy(ctx.db, {
    get(target, name, self) {
      if (death !== null) throw death;
      return Reflect.get(target, name, self);
    },
  });
  return {
    ctx: { ...ctx, db },
    observe(step, id) {
      try {
        observe?.(step, id);
      } catch (error) {
        death = error;
        throw error;
      }
    },
  };
}

/** Runs a worker of payments until it dies, with a block after each pass; false if it does not die in so many passes. */
export async function runToDeath(worker: TransferEngine, chain: TestChain, passes = 8): Promise<boolean> {
  for (let pass = 0; pass < passes; pass += 1) {
    try {
      await runTransfersOnce(worker, chain.chain);
    } catch (error) {
      if (error instanceof Died) return true;
      throw error;
    }
    await chain.mine();
  }
  return false;
}
