import type { Database } from "#db/client.ts";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { listWithdrawals } from "#db/queries/fiat/withdrawals.ts";
import { listPayoutWaits } from "#db/queries/holds/ended-waits.ts";
import { type PaymentOf, unholdTransfer } from "#db/queries/holds/payment-holds.ts";
import { listSettlementsAsShown } from "#db/queries/settlements/settlements.ts";
import type { Transfer } from "#domain/transfer.ts";
import { settlementEvent, withdrawalEvent } from "#server/services/events/event-of.ts";

type Held = PaymentOf & { partnerId: string | null };

/**
 * Records that the payments of settlements are held from now on, or no longer are. Their transfers are locked, or made in this very
 * transaction. A withdrawal has no such event of its own: it is `processing`, and says from then on why it waits, or that it no longer does.
 */
export async function recordHolds(
  tx: Database,
  type: "settlement.held" | "settlement.released",
  payments: readonly Held[],
  now: Date,
): Promise<void> {
  await recordPayouts(
    tx,
    payments.flatMap(({ purpose, ownerId }) => (purpose === "sweep" ? [ownerId] : [])),
    now,
  );
  const byPartner = Map.groupBy(
    payments.filter(({ purpose }) => purpose === "settlement"),
    ({ partnerId }) => partnerId,
  );
  for (const [partnerId, theirs] of byPartner) {
    // A partner's settlement alone has events.
    if (partnerId === null) continue;
    const ids = [...new Set(theirs.map(({ ownerId }) => ownerId))];
    const shown = await listSettlementsAsShown(tx, partnerId, ids);
    const withUndelivered = shown.filter(({ hasUndelivered }) => hasUndelivered).map(({ settlement }) => settlement.id);
    const undelivered = Map.groupBy(
      await listCallbacksOf(tx, withUndelivered, { partnerId, state: "undelivered" }),
      ({ subjectId }) => subjectId,
    );
    await recordEvents(
      tx,
      shown.map(({ settlement, waiting }) =>
        settlementEvent(type, settlement, now, { waiting, undelivered: undelivered.get(settlement.id) ?? [] }),
      ),
    );
  }
}

async function recordPayouts(tx: Database, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const [orders, waits] = await Promise.all([listWithdrawals(tx, ids), listPayoutWaits(tx, ids)]);
  await recordEvents(
    tx,
    orders.map((order) => withdrawalEvent(order, now, waits.get(order.id) ?? null)),
  );
}

/** The payment is due again. The transfer must be locked. */
export async function unholdPayment(
  tx: Database,
  { id, ...payment }: Pick<Transfer, "id" | "purpose" | "ownerId" | "partnerId">,
  now: Date,
): Promise<void> {
  await unholdTransfer(tx, id);
  await recordHolds(tx, "settlement.released", [payment], now);
}
