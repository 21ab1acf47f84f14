import { enterEscalation, listOverdueWork } from "#db/queries/notifications/escalations.ts";
import { ROLES_OF_WORK } from "#domain/work-queue.ts";
import type { Uses } from "#server/context.ts";

/** In one run; what is left follows in the next one. */
const AT_ONCE = 50;

/**
 * Passes each decision that waits longer than promised on to the next person, once. Each is one statement, so that a worker which dies leaves
 * no half of it, and of two workers one stores it. An item without a person who may decide it now stays, and delays nothing else.
 * Returns how many were passed on.
 */
export async function escalateOverdue(ctx: Uses<"db" | "clock" | "policy">): Promise<number> {
  const overdue = await listOverdueWork(ctx.db, ROLES_OF_WORK, ctx.policy.decisionTargetMinutes, ctx.clock.now(), AT_ONCE);
  let passed = 0;
  for (const work of overdue) if (await enterEscalation(ctx.db, work, ROLES_OF_WORK[work.kind], ctx.clock.now())) passed += 1;
  return passed;
}
