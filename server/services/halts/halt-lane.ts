import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findOpenHalts, insertHalt, listAllOpenHalts } from "#db/queries/halts/lane-halts.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { listPairKeys } from "#db/queries/rates/pair-terms-lists.ts";
import { lockWallet, lockWalletsOf } from "#db/queries/transfers/wallets.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { actorId, type By, SYSTEM } from "#domain/access.ts";
import { ALL, type HaltCause, type Lane, type LaneHalt } from "#domain/lane.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

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

/**
 * Stops a lane on a person's word: nothing new is signed or paid out there, not even what was being signed at that moment. What it has
 * signed before is still looked after. One person suffices to stop; going on again takes two.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` when it stands already
 */
export async function orderHalt(ctx: Uses<"db" | "clock" | "chains">, command: { by: By; lane: Lane; reason: string }): Promise<LaneHalt> {
  const { by, lane, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (!(await exists(ctx, lane))) throw new Refusal("not_found", { detail: `There is no such ${lane.kind}.` });
  return await ctx.db.transaction(async (tx) => {
    const halt = await haltLane(tx, { lane, cause: "operator", detail: reason, by });
    if (halt === null) throw new Refusal("invalid_state", { detail: "It stands already." });
    return halt;
  });
}

async function exists({ db, chains }: Uses<"db" | "chains">, { kind, key }: Lane): Promise<boolean> {
  switch (kind) {
    case "wallet":
      return isUuid(key) && (await lockWallet(db, key)) !== null;
    case "partner":
      return isUuid(key) && (await findPartner(db, key)) !== null;
    case "chain":
      return chains.find(key) !== null;
    case "pair":
      return (await listPairKeys(db)).includes(key);
    case "all":
      return key === ALL;
    case "provider":
      return true; // whoever is stopped beforehand may not be configured yet
  }
}

/** Whether one of the lanes stands. Ask for every lane that the deed concerns: a payment's wallet, chain and partner. */
export async function isHalted(db: Database, lanes: readonly Lane[]): Promise<boolean> {
  return (await findOpenHalts(db, lanes)).length > 0;
}

/** Every lane that stands, oldest first: for the console, `/ready` and the metrics. */
export async function listOpenHalts(ctx: Uses<"db">): Promise<LaneHalt[]> {
  return await listAllOpenHalts(ctx.db);
}

/** The keys of the pairs that can be stopped. */
export async function listHaltablePairs(ctx: Uses<"db">): Promise<string[]> {
  return await listPairKeys(ctx.db);
}
