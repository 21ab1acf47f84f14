import type { Database } from "#db/client.ts";
import type { ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import type { By } from "#domain/access.ts";
import type { Counted } from "#domain/limits-in-turn.ts";
import { holdingFindings } from "#domain/payment-check.ts";
import type { Screening } from "#domain/screening.ts";
import type { Settlement } from "#domain/settlement.ts";
import { verdictsAtConfirm } from "#server/services/holds/confirm-checks.ts";
import { keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { confirmVerdicts } from "#server/services/screening/screening-check.ts";
import { type EnqueueTransfer, enqueueSettlementTransfers } from "#server/services/transfers/enqueue-transfer.ts";
import { changeSettlements } from "./change-settlement.ts";

/** A locked settlement to confirm, with its reference and its URL (null: an item of a batch, which has its own). */
export type LockedToConfirm = { locked: ToConfirm; externalTxId: string; callbackUrl: string | null; screening: Screening | null };

/**
 * Confirms locked settlements of a partner and enqueues their transfers, in one transaction. A guaranteed settlement does not fail by what
 * a check says: it waits. Returns the settlements, and which of them are held.
 */
export async function confirmLocked(
  tx: Database,
  confirming: readonly LockedToConfirm[],
  { by, now }: { by: By; now: Date },
): Promise<{ confirmed: Settlement[]; held: ReadonlySet<string> }> {
  const changes = confirming.map(({ locked: { settlement, openWait: waiting }, externalTxId, callbackUrl }) => {
    const action = { type: "confirm", externalTxId, callbackUrl } as const;
    return { settlement, action, by, waiting, note: { change: { external_tx_id: externalTxId } } };
  });
  const confirmed = await changeSettlements(tx, changes, now);
  const payments = confirming.map(({ locked }) => paymentOf(locked.settlement, now));
  await enqueueSettlementTransfers(tx, payments);
  const counted: Counted = new Map();
  const judged = confirming.map(({ locked, screening }) => {
    const screened = confirmVerdicts(screening);
    // A payment that is held by its screening counts for nothing.
    const isHeld = screened.some((verdict) => holdingFindings(verdict).length > 0);
    const { purpose, ownerId, partnerId } = paymentOf(locked.settlement, now);
    const limited = verdictsAtConfirm(locked, isHeld ? new Map(counted) : counted);
    return { purpose, ownerId, partnerId, verdicts: [...limited, ...screened], holds: [] };
  });
  return { confirmed, held: await keepVerdicts(tx, judged, now) };
}

function paymentOf(settlement: Settlement, now: Date): EnqueueTransfer {
  const { id: ownerId, partnerId, chain, destinationCurrency: currency, tokenAddress, tokenDecimals, trace, quote } = settlement;
  const amountBase = quote.destinationAmountBase;
  const recipient = settlement.walletAddress;
  return { purpose: "settlement", ownerId, partnerId, chain, currency, tokenAddress, tokenDecimals, amountBase, recipient, trace, now };
}
