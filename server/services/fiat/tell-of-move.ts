import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { SYSTEM } from "#domain/access.ts";
import type { CallbackEvent } from "#domain/callback.ts";
import type { FiatStatus, OrderFacts } from "#domain/fiat.ts";
import { enqueueCallback } from "#server/services/callbacks/enqueue-callback.ts";

type Move = { kind: "withdrawal" | "topup"; from: string; after: OrderFacts & { step: string }; status: FiatStatus; now: Date };

/** The audit entry of an order's move. */
export async function auditMove(tx: Database, { kind, from, after, status, now }: Move): Promise<void> {
  const { id: objectId, partnerId, step, failureReason: reason, txHash } = after;
  const change = { from, step, status, tx_hash: txHash };
  await insertAuditEntry(tx, { by: SYSTEM, partnerId, action: `${kind}.${step}`, objectId, reason, change, now });
}

type Announcement = { order: OrderFacts; callback: { event: CallbackEvent; body: string } | null; now: Date };

/** Owes the callback, where the move has one and the partner wants it. */
export async function announceMove(tx: Database, { order, callback, now }: Announcement): Promise<void> {
  const { id: subjectId, partnerId, apiKeyId, callbackUrl: url } = order;
  if (callback !== null && url !== null) await enqueueCallback(tx, { partnerId, subjectId, apiKeyId, ...callback, url, now });
}
