import { renderTopupCallback } from "#contract/partner/fiat-answers.ts";
import type { Database } from "#db/client.ts";
import { changePoolTotal } from "#db/queries/fiat/fiat-pools.ts";
import { saveTopup } from "#db/queries/fiat/topups.ts";
import { advanceTopup, TOPUP_LIFECYCLE, type Topup, type TopupAction, topupStatus } from "#domain/topup.ts";
import { postTopup } from "#server/services/ledger/post-topup.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { announceMove, auditMove } from "./tell-of-move.ts";

/**
 * The one way a locked top-up changes: the lifecycle decides, then the row, the audit entry, the ledger, what the pool holds, the
 * transfer that is owed next and the callback are written in the caller's transaction, all of it or nothing.
 */
export async function changeTopup(tx: Database, before: Topup, action: TopupAction, now: Date): Promise<Topup> {
  const after = advanceTopup(before, action, now);
  await saveTopup(tx, after);
  await auditMove(tx, { kind: "topup", from: before.step, after, status: topupStatus(after), now });
  if (after.step === "sending") {
    await changePoolTotal(tx, after.currency, after.amountMinor, now);
    await oweCrypto(tx, after, now);
  }
  await postTopup(tx, after, now);
  const { callback: event } = TOPUP_LIFECYCLE[action.type];
  await announceMove(tx, { order: after, callback: event && { event, body: renderTopupCallback(after, event) }, now });
  return after;
}

async function oweCrypto(tx: Database, topup: Topup, now: Date): Promise<void> {
  const { id: ownerId, partnerId, chain, destinationCurrency: currency, tokenAddress, tokenDecimals } = topup;
  const { destinationAmountBase: amountBase, walletAddress: recipient } = topup;
  const debt = { ownerId, partnerId, chain, currency, tokenAddress, tokenDecimals, amountBase, recipient };
  await enqueueTransfer(tx, { purpose: "topup", ...debt, now });
}
