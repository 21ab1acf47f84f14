import { renderSettlementCallback } from "#contract/settlement/v1/callback-body.ts";
import type { Database } from "#db/client.ts";
import type { SettlementEvent } from "#domain/lifecycle.ts";
import type { Settlement } from "#domain/settlement.ts";
import { enqueueCallbacks } from "#server/services/callbacks/enqueue-callback.ts";

/**
 * Owes partners callbacks about what just happened (specification, part 6), in the transaction of the change. An approval goes to the
 * URL given at creation, if any; a terminal event to the one given at confirmation; no event, no callback. The body is frozen here.
 */
export async function announceSettlements(
  tx: Database,
  announced: readonly { settlement: Settlement; event: SettlementEvent | null }[],
  now: Date,
): Promise<void> {
  const owed = announced.flatMap(({ settlement, event }) => {
    const { partnerId, id: subjectId, apiKeyId, trace } = settlement;
    const url = event === "settlement.approved" ? settlement.creationCallbackUrl : settlement.callbackUrl;
    if (event === null || url === null) return [];
    return [{ partnerId, subjectId, apiKeyId, event, url, trace, body: renderSettlementCallback(settlement, event) }];
  });
  await enqueueCallbacks(tx, owed, now);
}
