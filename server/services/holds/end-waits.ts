import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { type EndedWait, listEndedWaits } from "#db/queries/holds/ended-waits.ts";
import { decideHolds, lockOpenHolds } from "#db/queries/holds/payment-holds.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockTransfer } from "#db/queries/transfers/transfers.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";
import { unholdPayment } from "./record-holds.ts";

const BATCH = 200;

/**
 * Lets payouts to a new payee go on once they have waited as long as the limit asks: until then people could refuse them. Every other limit
 * is judged again before the sweep is signed. Returns how many there were.
 */
export async function endWaits(ctx: Uses<"db">): Promise<number> {
  const waits = await listEndedWaits(ctx.db, BATCH);
  let ended = 0;
  for (const wait of waits) if (await ctx.db.transaction((tx) => end(tx, wait))) ended += 1;
  return ended;
}

/** False: people, or another worker, were faster. */
async function end(tx: Database, { id, transferId, partnerId, ...payment }: EndedWait): Promise<boolean> {
  const transfer = await lockTransfer(tx, transferId);
  const open = await lockOpenHolds(tx, payment);
  if (transfer?.state !== "queued" || !open.some((hold) => hold.id === id)) return false;
  const now = await readBusinessNow(tx);
  await decideHolds(tx, [id], "ended", { at: now, by: null, reason: null });
  const change = { transfer_id: transferId, hold_id: id };
  await insertAuditEntry(tx, { by: SYSTEM, partnerId, action: "payment.wait_ended", objectId: payment.ownerId, change, now });
  if (open.length === 1) await unholdPayment(tx, transfer, now);
  return true;
}
