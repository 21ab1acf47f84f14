import { renderTopupCallback } from "#contract/partner/fiat-answers.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { changePoolTotal } from "#db/queries/fiat/fiat-pools.ts";
import { saveTopup } from "#db/queries/fiat/topups.ts";
import { SYSTEM } from "#domain/access.ts";
import { advanceTopup, TOPUP_LIFECYCLE, type Topup, type TopupAction, type TopupRow, topupStatus } from "#domain/topup.ts";
import { enqueueCallback } from "#server/services/callbacks/enqueue-callback.ts";
import { postTopup } from "#server/services/ledger/post-topup.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";

/**
 * The one way a locked top-up changes: the lifecycle decides, then the row, the audit entry, the ledger, what the pool holds, the
 * transfer that is owed next and the callback are written in the caller's transaction, all of it or nothing.
 */
export async function changeTopup(tx: Database, before: Topup, action: TopupAction, now: Date): Promise<Topup> {
  const after = advanceTopup(before, action, now);
  await saveTopup(tx, after);
  await insertAuditEntry(tx, {
    by: SYSTEM,
    partnerId: after.partnerId,
    action: `topup.${after.step}`,
    objectId: after.id,
    reason: after.failureReason,
    change: { from: before.step, step: after.step, status: topupStatus(after), tx_hash: after.txHash },
    now,
  });
  if (after.step === "sending") {
    await changePoolTotal(tx, after.currency, after.amountMinor, now);
    await oweCrypto(tx, after, now);
  }
  await postTopup(tx, after, now);
  await announce(tx, after, TOPUP_LIFECYCLE[action.type], now);
  return after;
}

async function oweCrypto(tx: Database, topup: Topup, now: Date): Promise<void> {
  await enqueueTransfer(tx, {
    purpose: "topup",
    ownerId: topup.id,
    partnerId: topup.partnerId,
    chain: topup.chain,
    currency: topup.destinationCurrency,
    tokenAddress: topup.tokenAddress,
    tokenDecimals: topup.tokenDecimals,
    amountBase: topup.destinationAmountBase,
    recipient: topup.walletAddress,
    now,
  });
}

async function announce(tx: Database, topup: Topup, { callback }: TopupRow, now: Date): Promise<void> {
  if (callback === null || topup.callbackUrl === null) return;
  const { id: subjectId, partnerId, apiKeyId, callbackUrl: url } = topup;
  await enqueueCallback(tx, { partnerId, subjectId, apiKeyId, event: callback, url, body: renderTopupCallback(topup, callback), now });
}
