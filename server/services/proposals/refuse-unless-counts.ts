import { findVoter } from "#db/queries/proposals/proposals.ts";
import type { By } from "#domain/access.ts";
import { type Decider, deciderOf } from "#domain/approval.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessCounts, type Voter } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";

/** An approval of an action that needs two people. `before`: those who have approved already. `now`: business time. */
export type GivenYes = { before: readonly Decider[]; by: By; now: Date };

/**
 * Whether an approval counts, together with the earlier ones and everybody's present role. Called under the lock on the object, in its
 * transaction.
 *
 * @throws Refusal `forbidden` for a caller outside the operator, `same_approver`, `step_up_required`.
 */
export async function refuseUnlessYesCounts(ctx: Uses<"db" | "clock" | "mode">, { before, by, now }: GivenYes): Promise<void> {
  const decider = deciderOf(by.actor);
  const voter = decider && (await findVoter(ctx.db, decider));
  if (voter === null) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  const earlier: Voter[] = [];
  for (const each of before) {
    const known = await findVoter(ctx.db, each);
    if (known === null) throw new Error(`who decided as ${each.type} ${each.id} is not known`);
    earlier.push(known);
  }
  refuseUnlessCounts({ mode: ctx.mode, before: earlier, voter, proof: by.proof ?? null, now, realNow: ctx.clock.now() });
}
