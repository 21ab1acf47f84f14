import { tracked } from "@trpc/server";
import { z } from "zod";
import { instant } from "#contract/primitives.ts";
import { Refusal } from "#domain/refusal.ts";
import { personProcedure, router } from "#server/console/trpc/init.ts";
import { type Change, followChanges, positionAfter } from "#server/services/audit/follow-changes.ts";
import { reportTime } from "#server/services/maintenance/clock.ts";

/** A hint that something changed: who shows it reads it again, with the rights of that moment. */
type ChangeWire = { action: string; object_id: string; at: string };
type LiveEvent = { changes: ChangeWire[] /** Business time. */; now: string };

const CLOCK_MOVED = "sandbox_clock.advanced";
/** How often a listening session is checked. */
const REASSURE_MS = 10_000;

export const liveRouter = router({
  /** Every change that the user may see, as it happens, and the time; after a reconnect first those that were missed. */
  changes: personProcedure.input(z.strictObject({ lastEventId: z.string().max(64).nullish() })).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const { services, holder, readHolder, live, ending } = ctx;
    const over = AbortSignal.any([ending, ...(signal ? [signal] : [])]);
    const feed = live.listen(over);
    const missedFrom = input.lastEventId ? positionAfter(input.lastEventId) : null;
    const concerns = ({ partnerId }: Change) => holder.partnerId === null || partnerId === holder.partnerId;
    let last = input.lastEventId ?? "start";
    const publish = async (changes: readonly Change[]) => {
      const visible = changes.filter(concerns);
      // A hint without a place in the log moves nobody on.
      last = changes.at(-1)?.id || last;
      const now = instant(await reportTime(services));
      const event: LiveEvent = {
        changes: visible.map(({ action, objectId, at }) => ({ action, object_id: objectId, at: instant(at) })),
        now,
      };
      return tracked(last, event);
    };
    yield await publish(missedFrom === null ? [] : (await followChanges(services, missedFrom)).changes);
    let reassuredAt = Date.now();
    for await (const changes of feed) {
      // A session that has ended, or whose user changed, gets nothing more.
      if (changes.length > 0 || Date.now() - reassuredAt > REASSURE_MS) {
        const current = await readHolder();
        if (current === null || current.partnerId !== holder.partnerId) throw new Refusal("invalid_token");
        // After a step-up the stream's secret is an old one. A page connects again by itself, with the new one.
        if (current.sidHash !== holder.sidHash)
          throw new Refusal("temporarily_unavailable", { detail: "The session has a new secret. Connect again." });
        reassuredAt = Date.now();
      }
      // The time of day is everybody's, now and then and when it was moved.
      if (changes.length === 0 || changes.some((change) => concerns(change) || change.action === CLOCK_MOVED)) yield await publish(changes);
    }
  }),
});
