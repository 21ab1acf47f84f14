import {
  approvalsThatWait,
  decisionsOfAbsent,
  destinationsPaused,
  enterFacts,
  type Finder,
  haltsOpened,
  keysThatExpire,
  lowWallets,
  newPayees,
  openProposals,
  receiversGivenUp,
  settlementsHalfApproved,
  substitutesAt,
} from "#db/queries/notifications/facts.ts";
import { NOTIFIED_ROLES } from "#domain/notification.ts";
import type { Uses } from "#server/context.ts";

/** What somebody waits for, or what has just stopped. */
const URGENT: readonly Finder[] = [
  { kind: "approval_waits", roles: NOTIFIED_ROLES.approval_waits, facts: approvalsThatWait },
  { kind: "second_yes", roles: NOTIFIED_ROLES.second_yes, facts: settlementsHalfApproved },
  // A proposal is confirmed by administrators.
  { kind: "second_yes", roles: ["admin"], facts: openProposals },
  { kind: "lane_halted", roles: NOTIFIED_ROLES.lane_halted, facts: haltsOpened },
  { kind: "payee_waits", roles: NOTIFIED_ROLES.payee_waits, facts: newPayees },
];

/** What changes over minutes and hours. */
const SLOW: readonly Finder[] = [
  { kind: "callback_gave_up", roles: NOTIFIED_ROLES.callback_gave_up, facts: receiversGivenUp },
  { kind: "low_balance", roles: NOTIFIED_ROLES.low_balance, facts: lowWallets },
  { kind: "destination_paused", roles: NOTIFIED_ROLES.destination_paused, facts: destinationsPaused },
  { kind: "key_changed", roles: NOTIFIED_ROLES.key_changed, facts: keysThatExpire },
];

/** What waits for somebody who is away goes to their substitute. */
const forAbsent = (now: Date): Finder => ({
  kind: "decision_for_absent",
  roles: NOTIFIED_ROLES.decision_for_absent,
  facts: decisionsOfAbsent,
  only: substitutesAt(now),
});

/**
 * Finds the facts that people want to know and stores a notification: each fact once per person, also concurrently. Returns how many were
 * new. `pace`: only what somebody waits for, or only what a few seconds do not matter to.
 */
export async function findFacts(ctx: Uses<"db" | "clock">, pace?: "urgent" | "slow"): Promise<number> {
  const now = ctx.clock.now();
  const slow = [...SLOW, forAbsent(now)];
  let found = 0;
  for (const finder of [...(pace === "slow" ? [] : URGENT), ...(pace === "urgent" ? [] : slow)])
    found += await enterFacts(ctx.db, finder, now);
  return found;
}
