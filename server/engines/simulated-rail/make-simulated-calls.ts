import type { Database } from "#db/client.ts";
import type { Lease } from "#db/lease.ts";
import { findSimulatedOrder, type SimulatedOrder, settleCall } from "#db/queries/fiat/simulated-orders.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { Uses } from "#server/context.ts";
import { processDue, type Verdict } from "#server/engines/duty.ts";
import { HeldLeases } from "#server/engines/held-leases.ts";

/** Calls one of our addresses as the provider, signed. Answers the status; null: nobody answered. */
export type CallAsProvider = (path: string, body: string) => Promise<number | null>;

const BATCH = 32;
/** A refused call is repeated after this much business time, for ever: a provider does not give up either. */
const AGAIN_SECONDS = 5;
const ADDRESSES: Record<SimulatedOrder["kind"], string> = {
  payout: "/partners/transactions/withdraw-fiat/callback",
  collection: "/partners/transactions/topup-fiat/callback",
};

/** Makes the calls of the simulated provider that are due. */
export async function makeSimulatedCalls(ctx: Uses<"db" | "log">, call: CallAsProvider): Promise<Verdict> {
  return await processDue({
    heldLeases: new HeldLeases(ctx, "simulated_orders"),
    batch: BATCH,
    work: (lease) => makeCall(ctx, call, lease),
    async settle(lease, error) {
      ctx.log.error({ order_id: lease.id, err: error }, "the simulated fiat provider could not make its call");
      await putOff(ctx.db, lease, AGAIN_SECONDS);
    },
  });
}

async function makeCall({ db, log }: Uses<"db" | "log">, call: CallAsProvider, lease: Lease): Promise<void> {
  const order = await findSimulatedOrder(db, lease.id);
  if (order === null) return;
  const { id, kind, calls, callsMade } = order;
  const word = calls[callsMade];
  if (word === undefined) return await settleCall(db, lease, { callsMade, dueAt: null });
  const { status, reference, reason } = word;
  const answered = await call(ADDRESSES[kind], JSON.stringify({ order_id: id, reference, status, reason }));
  if (answered !== 200) {
    log.warn({ order_id: id, status: answered }, "the simulated fiat provider's call was refused");
    return await putOff(db, lease, AGAIN_SECONDS);
  }
  const next = calls[callsMade + 1];
  const dueAt = next === undefined ? null : await later(db, next.afterSeconds - word.afterSeconds);
  await settleCall(db, lease, { callsMade: callsMade + 1, dueAt });
}

async function putOff(db: Database, lease: Lease, seconds: number): Promise<void> {
  await settleCall(db, lease, { dueAt: await later(db, seconds) });
}

async function later(db: Database, seconds: number): Promise<Date> {
  return new Date((await readBusinessNow(db)).getTime() + seconds * 1_000);
}
