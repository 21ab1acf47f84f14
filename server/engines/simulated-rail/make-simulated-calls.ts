import { randomUUID } from "node:crypto";
import { claimDueCalls, type SimulatedOrder, settleCall } from "#db/queries/fiat/simulated-orders.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { Uses } from "#server/context.ts";

/** Calls one of our addresses as the provider, signed. Answers the status; null: nobody answered. */
export type CallAsProvider = (path: string, body: string) => Promise<number | null>;

const BATCH = 32;
/** A call that was not taken is made again after this much business time, for ever: a provider does not give up either. */
const AGAIN_SECONDS = 5;
const ADDRESSES: Record<SimulatedOrder["kind"], string> = {
  payout: "/partners/transactions/withdraw-fiat/callback",
  collection: "/partners/transactions/topup-fiat/callback",
};

/** Makes the calls of the simulated provider that are due. Answers how many. */
export async function makeSimulatedCalls(ctx: Uses<"db" | "log">, call: CallAsProvider): Promise<number> {
  const token = randomUUID();
  const orders = await claimDueCalls(ctx.db, token, BATCH);
  await Promise.all(orders.map((order) => makeCall(ctx, call, order, token)));
  return orders.length;
}

async function makeCall({ db, log }: Uses<"db" | "log">, call: CallAsProvider, order: SimulatedOrder, token: string): Promise<void> {
  const { id, kind, calls, callsMade } = order;
  const word = calls[callsMade];
  if (word === undefined) return await settleCall(db, { id, token }, { callsMade, dueAt: null });
  const { status, reference, reason } = word;
  const answered = await call(ADDRESSES[kind], JSON.stringify({ order_id: id, reference, status, reason }));
  const now = await readBusinessNow(db);
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  if (answered !== 200) {
    log.warn({ order_id: id, status: answered }, "the simulated fiat provider's call was not taken");
    return await settleCall(db, { id, token }, { callsMade, dueAt: later(AGAIN_SECONDS) });
  }
  const next = calls[callsMade + 1];
  const dueAt = next === undefined ? null : later(next.afterSeconds - word.afterSeconds);
  await settleCall(db, { id, token }, { callsMade: callsMade + 1, dueAt });
}
