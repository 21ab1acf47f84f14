import { findVoice, type KnownVoice } from "#db/queries/voices.ts";
import type { Uses } from "#server/context.ts";
import { type By, mayAsOperator, type OperatorDeed } from "#server/domain/access.ts";
import { type Decider, deciderOf } from "#server/domain/approval.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { refuseUnlessTwoPeople } from "#server/domain/two-people.ts";

type SecondYes = {
  /** Those who have said yes before. */
  before: readonly Decider[];
  by: By;
  deed: OperatorDeed;
  /** Business time. */
  now: Date;
};

/**
 * Whether who says yes now is a second person beside those before, as they all are at this moment. Asked under the lock on what is
 * decided, in its transaction.
 *
 * @throws Refusal `forbidden`, `same_approver`, `step_up_required`; `conflict` when one of those before may not decide any more.
 */
export async function refuseUnlessSecondPerson(
  ctx: Uses<"db" | "clock" | "mode">,
  { before: deciders, by, deed, now }: SecondYes,
): Promise<void> {
  const decider = deciderOf(by.actor);
  const voice = decider && (await findVoice(ctx.db, decider));
  if (voice === null) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  const realNow = ctx.clock.now();
  const before: KnownVoice[] = [];
  for (const each of deciders) {
    const known = await findVoice(ctx.db, each);
    if (known === null || !mayStill(known, deed, { id: each.id, realNow }))
      throw new Refusal("conflict", { detail: "Who said yes first may not decide any more." });
    before.push(known);
  }
  refuseUnlessTwoPeople({ mode: ctx.mode, before, voice, proof: by.proof ?? null, now, realNow });
}

function mayStill({ role, endedAt }: KnownVoice, deed: OperatorDeed, { id, realNow }: { id: string; realNow: Date }): boolean {
  if (endedAt !== null && endedAt <= realNow) return false;
  return role === null || mayAsOperator({ type: "user", userId: id, role, partnerId: null }, deed);
}
