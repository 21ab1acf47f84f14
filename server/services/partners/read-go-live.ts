import { readGoLiveFacts } from "#db/queries/overview/go-live.ts";
import { listTerms } from "#db/queries/rates/pair-terms.ts";
import { GO_LIVE, type GoLiveStep } from "#domain/go-live.ts";
import type { Uses } from "#server/context.ts";

/** The checklist before live mode, with what the partner has finished. */
export async function readGoLive(ctx: Uses<"db" | "clock">, partnerId: string): Promise<{ step: GoLiveStep; done: boolean }[]> {
  const facts = await readGoLiveFacts(ctx.db, partnerId, ctx.clock.now());
  const done = { ...facts, limits: (await listTerms(ctx.db, partnerId)).length > 0 };
  return GO_LIVE.map(({ step }) => ({ step, done: done[step] }));
}
