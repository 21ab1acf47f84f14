import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listWork, type WorkRecord } from "#db/queries/overview/work-queue.ts";
import type { Person } from "#domain/access.ts";
import { promisedBy, waitsFor } from "#domain/work-queue.ts";
import type { Uses } from "#server/context.ts";

/** Nobody works off more from one page. */
const MOST = 200;

/** `escalated`: to whom it was passed on when it was overdue; `toYou`: to this person. */
export type WorkItem = Omit<WorkRecord, "escalated"> & {
  promisedBy: Date;
  waitsFor: "you" | "others";
  escalated: { name: string; at: Date; toYou: boolean } | null;
};

/**
 * Everything that waits for an operator's decision, the longest waiting first: settlements, batches, proposals, held payments, payments under
 * review, and fiat orders whose outcome is unknown. Each with whose decision it waits for, and until when that is promised.
 */
export async function readWorkQueue(ctx: Uses<"db" | "policy">, person: Person): Promise<{ items: WorkItem[]; more: boolean; now: Date }> {
  const found = await listWork(ctx.db, person.userId, MOST + 1);
  const items = found.slice(0, MOST).map((work) => {
    const { escalated } = work;
    return {
      ...work,
      promisedBy: promisedBy(work.since, ctx.policy.decisionTargetMinutes),
      waitsFor: waitsFor(person, work),
      escalated: escalated && { name: escalated.name, at: escalated.at, toYou: escalated.userId === person.userId },
    };
  });
  return { items, more: found.length > MOST, now: await readBusinessNow(ctx.db) };
}
