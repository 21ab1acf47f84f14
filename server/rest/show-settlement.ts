import { renderSettlement, type SettlementWire } from "#contract/settlement/v1/settlement.ts";
import type { Settlement, SettlementAsShown } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { checkCallbackUrl } from "#server/services/callbacks/callback-target.ts";
import { listUndeliveredCallbacks } from "#server/services/callbacks/read-callbacks.ts";
import { listWaits } from "#server/services/settlements/list-waits.ts";

/** Settlements as answers show them, with what is read for that. */

export async function showOne(
  ctx: Uses<"db">,
  { settlement, waiting, hasUndelivered }: SettlementAsShown,
): Promise<{ body: SettlementWire }> {
  const undelivered = hasUndelivered ? await listUndeliveredCallbacks(ctx, [settlement.id], settlement.partnerId) : new Map();
  const shownWait = settlement.status === "processing" && waiting !== null ? waiting : undefined;
  return { body: renderSettlement(settlement, undelivered.get(settlement.id) ?? [], shownWait) };
}

/** `areNew`: they were just made, and nothing has happened to them. */
export async function showAll(
  ctx: Uses<"db">,
  settlements: readonly Settlement[],
  { areNew = false }: { areNew?: boolean } = {},
): Promise<SettlementWire[]> {
  if (areNew) return settlements.map((one) => renderSettlement(one, []));
  const ids = settlements.map(({ id }) => id);
  const [undelivered, waits] = await Promise.all([
    listUndeliveredCallbacks(ctx, ids, settlements[0]?.partnerId),
    listWaits(ctx, settlements),
  ]);
  return settlements.map((one) => renderSettlement(one, undelivered.get(one.id) ?? [], waits.get(one.id)));
}

export async function checkGivenUrl(ctx: Uses<"callbacks">, url: string | undefined): Promise<void> {
  if (url !== undefined) await checkCallbackUrl(ctx, url, "/callback_url");
}
