import { randomUUID } from "node:crypto";
import { LEASE_SECONDS } from "#db/lease.ts";
import { claimDueOrders, type FiatTable, releaseOrderLeases, renewOrderLeases, restOrder } from "#db/queries/fiat/fiat-work.ts";
import { Halted } from "#server/engines/payments/engine.ts";
import type { FiatEngine, HeldOrder } from "./engine.ts";
import { tendTopup } from "./tend-topup.ts";
import { tendWithdrawal } from "./tend-withdrawal.ts";

/** A piece of the worker's standing work. */
export type FiatDuty = { name: string; channel: "fiat"; everyMs: number; run(signal: AbortSignal): Promise<"idle" | "busy"> };

const RENEW_EVERY_MS = (LEASE_SECONDS * 1_000) / 3;
/** After a defect of ours: it is tried again, but not all the time. */
const REST_SECONDS = 30;

/** Withdrawals and top-ups do not wait for one another. */
export function fiatDuties(engine: FiatEngine): FiatDuty[] {
  return (["withdrawals", "topups"] as const).map((table) => ({
    name: table,
    channel: "fiat",
    everyMs: 1_000,
    run: () => runOrdersOnce(engine, table),
  }));
}

/**
 * Does the next step of every order that is due, each on its own: what goes wrong with one is logged, and does not stop the others.
 *
 * @returns `busy` when there may be more at once
 */
export async function runOrdersOnce(engine: FiatEngine, table: FiatTable): Promise<"idle" | "busy"> {
  const { db } = engine.ctx;
  const token = randomUUID();
  const ids = await claimDueOrders(db, table, token, engine.batch);
  if (ids.length === 0) return "idle";
  const leases = ids.map((id) => ({ id, token }));
  const renewal = setInterval(() => void renewOrderLeases(db, table, leases).catch(() => {}), RENEW_EVERY_MS);
  try {
    const outcomes = await Promise.allSettled(leases.map((lease) => tend(engine, { table, lease })));
    const halted = outcomes.find((outcome) => outcome.status === "rejected");
    if (halted) throw halted.reason;
  } finally {
    clearInterval(renewal);
  }
  await releaseOrderLeases(db, table, leases);
  return ids.length === engine.batch ? "busy" : "idle";
}

async function tend(engine: FiatEngine, held: HeldOrder): Promise<void> {
  const { id } = held.lease;
  try {
    engine.step("claimed", id);
    if (held.table === "withdrawals") await tendWithdrawal(engine, held);
    else await tendTopup(engine, held);
  } catch (error) {
    if (error instanceof Halted) throw error;
    engine.ctx.log.error({ order_id: id, err: error }, "an order could not be moved on");
    const reason = "An internal error stopped it; the log says more.";
    await restOrder(engine.ctx.db, held.table, held.lease, { seconds: REST_SECONDS, reason, tried: true });
  }
}
