import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findOpenHalts, insertHalt, listAllOpenHalts } from "#db/queries/halts/scope-halts.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { listPairKeys } from "#db/queries/rates/pair-terms-lists.ts";
import { lockWallet, lockWalletsOf } from "#db/queries/transfers/wallets.ts";
import { actorId, type By, SYSTEM } from "#domain/access.ts";
import { ALL, type HaltCause, type HaltScope, type ScopeHalt } from "#domain/halt-scope.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

export type HaltCommand = { scope: HaltScope; cause: HaltCause; detail: string; evidence?: Record<string, unknown>; by?: By };

/**
 * Halts a scope in the transaction that found the broken invariant: both commit together. It waits for concurrent signing with the scope's
 * wallets, and nothing is signed afterwards. A scope that is already halted keeps its first halt. The caller logs an error after the
 * commit.
 *
 * @returns the new halt; null when the scope was halted already
 */
export async function haltScope(
  tx: Database,
  { scope, cause, detail, evidence = {}, by = SYSTEM }: HaltCommand,
): Promise<ScopeHalt | null> {
  await lockWalletsOf(tx, scope);
  const now = await readBusinessNow(tx);
  const halt = await insertHalt(tx, { scope, cause, detail, evidence, haltedBy: actorId(by.actor) }, now);
  if (halt === null) return null;
  const change = { lane: scope.kind, key: scope.key, cause };
  await insertAuditEntry(tx, { by, partnerId: null, action: "lane.halted", objectId: halt.id, reason: detail, change, now });
  return halt;
}

/**
 * Halts a scope by a person's decision: nothing new is signed or paid out there, including what was just being signed. Transactions signed
 * before are still followed. One person can halt; lifting takes two.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` when it is halted already
 */
export async function orderHalt(
  ctx: Uses<"db" | "clock" | "chains">,
  command: { by: By; scope: HaltScope; reason: string },
): Promise<ScopeHalt> {
  const { by, scope, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (!(await exists(ctx, scope))) throw new Refusal("not_found", { detail: `There is no such ${scope.kind}.` });
  return await ctx.db.transaction(async (tx) => {
    const halt = await haltScope(tx, { scope, cause: "operator", detail: reason, by });
    if (halt === null) throw new Refusal("invalid_state", { detail: "It is already halted." });
    return halt;
  });
}

async function exists({ db, chains }: Uses<"db" | "chains">, { kind, key }: HaltScope): Promise<boolean> {
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
      return true; // a scope that is halted in advance may not be configured yet
  }
}

/** Whether one of the scopes is halted. Ask for every scope that the action concerns: a payment's wallet, chain and partner. */
export async function isHalted(db: Database, scopes: readonly HaltScope[]): Promise<boolean> {
  return (await findOpenHalts(db, scopes)).length > 0;
}

/** Every halted scope, oldest first: for the console, `/ready` and the metrics. */
export async function listOpenHalts(ctx: Uses<"db">): Promise<ScopeHalt[]> {
  return await listAllOpenHalts(ctx.db);
}

/** The keys of the pairs that can be stopped. */
export async function listHaltablePairs(ctx: Uses<"db">): Promise<string[]> {
  return await listPairKeys(ctx.db);
}
