import { randomUUID } from "node:crypto";
import { type ClaimedDestination, claimDestinations, MOST_UNPROVEN_OF_ONE } from "#db/queries/events/destinations.ts";
import type { Verdict } from "#server/engines/duty.ts";
import type { DestinationEngine } from "./engine.ts";
import { serveDestination } from "./serve-destination.ts";

/** So many at once in a process; of those that do not work, so many, in places of their own. */
const MOST_PROVEN = 64;
const MOST_UNPROVEN = 32;

/** One round: claims destinations for which there is something, up to the free places, and begins each on its own. */
export async function serveOnce(engine: DestinationEngine): Promise<Verdict> {
  const { ctx, heldLeases, inHand } = engine;
  const unproven = [...inHand.keys()].filter(({ isProven }) => !isProven);
  const room = {
    proven: MOST_PROVEN - (inHand.size - unproven.length),
    unproven: MOST_UNPROVEN - unproven.length,
    closedPartners: [...Map.groupBy(unproven, ({ lease }) => lease.partnerId)].flatMap(([id, theirs]) =>
      id && theirs.length >= MOST_UNPROVEN_OF_ONE ? [id] : [],
    ),
  };
  const claimed = await claimDestinations(ctx.db, randomUUID(), room);
  heldLeases.take(claimed.map(({ lease }) => lease));
  engine.step("claimed");
  for (const each of claimed) begin(engine, each);
  return "idle";
}

function begin(engine: DestinationEngine, claimed: ClaimedDestination): void {
  const { ctx, heldLeases, inHand } = engine;
  const { lease } = claimed;
  const served = serveDestination(engine, claimed)
    .then(() => {
      heldLeases.forget([lease]);
      engine.wake();
    })
    .catch(async (error: unknown) => {
      ctx.log.error({ error, destination_id: lease.id }, "events could not be sent to a destination");
      await heldLeases.releaseAll([lease]);
    })
    .finally(() => inHand.delete(claimed));
  inHand.set(claimed, served);
}

/** Lets what is being sent end for a while, then calls it off. What was not written is sent again by another process, under the same ids. */
export async function drainDestinations({ inHand, callOff, heldLeases }: DestinationEngine, graceMs: number): Promise<void> {
  callOff.abort();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([Promise.allSettled([...inHand.values()]), limit]);
  clearTimeout(timer);
  await heldLeases.releaseAll();
}
