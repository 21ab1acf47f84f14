import type { Database } from "#db/client.ts";
import { newId } from "#domain/ids.ts";
import type { Topup } from "#domain/topup.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { TOKEN } from "./contents.ts";
import { askForOrder } from "./fiat-world.ts";
import { CHAIN } from "./nodes.ts";
import type { PaymentWorld } from "./payments-world.ts";
import { dateOf, type OrderRow, tables } from "./tables/rows.ts";

const FORGED = 0.15;

/** Top-ups and withdrawals, asked for at any time of the bad hour. Answers how many. */
export function planOrders(world: PaymentWorld, db: Database, faultsMs: number): number {
  const { history, scheduler } = world;
  const random = history.random.fork("orders");
  const count = 1 + random.below(4);
  for (let index = 0; index < count; index += 1) scheduler.after(random.below(faultsMs), () => void askForOrder(world, db, index));
  return count;
}

/**
 * In some hours somebody writes into an order's row, past every right of the database: that the provider has collected, or that it will not pay
 * out; and adds the payment that this would owe.
 */
export function planForgedSteps(world: PaymentWorld, faultsMs: number): void {
  const { history, scheduler, fiat } = world;
  const random = history.random.fork("forged steps");
  if (fiat === null || history.faults.has("put back") || !random.chance(FORGED)) return;
  scheduler.after(random.below(faultsMs), () => {
    const rows = [...tables().topups.rows.values(), ...tables().withdrawals.rows.values()];
    const open = rows.filter(({ order: { step } }) => ["collecting", "reserved", "sweeping"].includes(step));
    if (open.length === 0) return;
    history.faults.add("forged steps");
    fiat.isForged = true;
    const row = random.pick(open);
    history.trace?.(`somebody forges the step of ${row.id}`);
    if (row.order.step === "collecting") forge("topups", row, { ...(row.order as Topup), step: "sending" });
    else {
      const returning = {
        step: "returning",
        txHash: "0xforged",
        failureReason: "It will not pay.",
        treasuryAddress: world.net.wallets[0] ?? "",
      } as const;
      forge("withdrawals", row, { ...(row.order as Withdrawal), ...returning });
    }
  });

  function forge(table: "topups" | "withdrawals", row: OrderRow, order: Topup | Withdrawal): void {
    tables()[table].rows.set(row.id, { ...row, order, dueAt: null, leaseUntil: null, leaseToken: null });
    const transfer = paymentOf(order, dateOf(scheduler.now));
    const due = { dueAt: scheduler.now, waitingKind: null, leaseUntil: null, leaseToken: null, restUntil: null, orphanedSince: null };
    tables().transfers.rows.set(transfer.id, { id: transfer.id, transfer, ...due });
  }
}

function paymentOf(order: Topup | Withdrawal, now: Date): Transfer {
  const { id: ownerId, partnerId, tokenDecimals } = order;
  const what =
    "walletAddress" in order
      ? ({ purpose: "topup", amountBase: order.destinationAmountBase, recipient: order.walletAddress } as const)
      : ({ purpose: "return", amountBase: order.sourceAmountBase, recipient: order.safeAddress } as const);
  const asset = { chain: CHAIN, currency: "USDT", tokenAddress: TOKEN, tokenDecimals };
  return { ...newTransfer({ ...asset, ...what, ownerId, partnerId, now }), id: newId("transfer", now) };
}
