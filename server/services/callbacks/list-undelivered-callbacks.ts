import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import type { Callback } from "#domain/callback.ts";
import type { Uses } from "#server/context.ts";

/**
 * The callbacks that six attempts did not bring home, by what they tell about (specification, part 6), each with the attempts of its
 * last series. The ids must be of what the asker may see; one without undelivered callbacks is not in the answer.
 */
export async function listUndeliveredCallbacks(ctx: Uses<"db">, subjectIds: readonly string[]): Promise<Map<string, Callback[]>> {
  const found = await listCallbacksOf(ctx.db, subjectIds, "undelivered");
  const lastSeries = found.map((callback) => ({
    ...callback,
    attempts: callback.attempts.filter((attempt) => attempt.series === callback.series),
  }));
  return Map.groupBy(lastSeries, (callback) => callback.subjectId);
}
