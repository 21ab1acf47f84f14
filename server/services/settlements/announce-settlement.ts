import { renderSettlementCallback } from "#contract/settlement/v1/callback-body.ts";
import type { Database } from "#db/client.ts";
import type { SettlementEvent } from "#domain/lifecycle.ts";
import type { Settlement } from "#domain/settlement.ts";
import { enqueueCallback } from "#server/services/callbacks/enqueue-callback.ts";

/**
 * Owes the partner a callback about what just happened (specification, part 6), in the transaction of the change. The approval
 * goes to the URL given at creation, if any; a terminal event to the one given at confirmation. The body is frozen here.
 */
export async function announceSettlement(tx: Database, settlement: Settlement, event: SettlementEvent, now: Date): Promise<void> {
  const url = event === "settlement.approved" ? settlement.creationCallbackUrl : settlement.callbackUrl;
  if (url === null) return;
  await enqueueCallback(tx, {
    partnerId: settlement.partnerId,
    subjectId: settlement.id,
    apiKeyId: settlement.apiKeyId,
    event,
    url,
    body: renderSettlementCallback(settlement, event),
    now,
  });
}
