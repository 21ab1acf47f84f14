import {
  approvalsThatWait,
  destinationsPaused,
  enterFacts,
  haltsOpened,
  keysThatExpire,
  lowWallets,
  newPayees,
  openProposals,
  receiversGivenUp,
  settlementsHalfApproved,
} from "#db/queries/notifications/facts.ts";
import { NOTIFIED_ROLES } from "#domain/notification.ts";
import type { Uses } from "#server/context.ts";

const FINDERS = [
  { kind: "approval_waits", roles: NOTIFIED_ROLES.approval_waits, facts: approvalsThatWait },
  { kind: "second_yes", roles: NOTIFIED_ROLES.second_yes, facts: settlementsHalfApproved },
  // A proposal is confirmed by administrators.
  { kind: "second_yes", roles: ["admin"], facts: openProposals },
  { kind: "callback_gave_up", roles: NOTIFIED_ROLES.callback_gave_up, facts: receiversGivenUp },
  { kind: "low_balance", roles: NOTIFIED_ROLES.low_balance, facts: lowWallets },
  { kind: "lane_halted", roles: NOTIFIED_ROLES.lane_halted, facts: haltsOpened },
  { kind: "payee_waits", roles: NOTIFIED_ROLES.payee_waits, facts: newPayees },
  { kind: "destination_paused", roles: NOTIFIED_ROLES.destination_paused, facts: destinationsPaused },
  { kind: "key_changed", roles: NOTIFIED_ROLES.key_changed, facts: keysThatExpire },
] as const;

/**
 * Finds the facts that people want to know and stores a notification: each fact once per person, also concurrently. Returns how many were
 * new.
 */
export async function findFacts(ctx: Uses<"db" | "clock">): Promise<number> {
  let found = 0;
  for (const finder of FINDERS) found += await enterFacts(ctx.db, finder, ctx.clock.now());
  return found;
}
