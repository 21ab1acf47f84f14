import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertHalt } from "#db/queries/halts/lane-halts.ts";
import { lockWalletsOf } from "#db/queries/transfers/wallets.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { actorId, type By, SYSTEM } from "#domain/access.ts";
import type { HaltCause, Lane, LaneHalt } from "#domain/lane.ts";

export type HaltLane = { lane: Lane; cause: HaltCause; detail: string; evidence?: Record<string, unknown>; by?: By };

/**
 * Stops a lane, in the transaction that met the broken invariant: what the transaction does and the halt commit together. Whoever signs
 * for one of its wallets at this moment is waited for, and signs nothing after it. A lane that stands already keeps its first halt.
 * The caller logs it as an error once the transaction is committed.
 *
 * @returns the new halt; null when the lane stood already
 */
export async function haltLane(tx: Database, { lane, cause, detail, evidence = {}, by = SYSTEM }: HaltLane): Promise<LaneHalt | null> {
  await lockWalletsOf(tx, lane);
  const now = await readBusinessNow(tx);
  const halt = await insertHalt(tx, { lane, cause, detail, evidence, haltedBy: actorId(by.actor) }, now);
  if (halt === null) return null;
  const change = { lane: lane.kind, key: lane.key, cause };
  await insertAuditEntry(tx, { by, partnerId: null, action: "lane.halted", objectId: halt.id, reason: detail, change, now });
  return halt;
}
