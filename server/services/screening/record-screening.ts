import { insertScreeningSettings } from "#db/queries/screening/screening-settings.ts";
import { describeScreening } from "#domain/screening.ts";
import type { Uses } from "#server/context.ts";

/** Keeps by what a worker screens from now on, which is what the audit judges by, and says aloud in live mode what nobody covers. */
export async function recordScreening(ctx: Uses<"db" | "screener" | "log" | "mode">): Promise<void> {
  const { isOn, covers, ...state } = ctx.screener.state();
  const sources = covers.flatMap(({ chain, sources: asked }) => asked.map((source) => `${chain}: ${source}`));
  await insertScreeningSettings(ctx.db, { isOn, sources });
  const lacks = !isOn || covers.some(({ covered }) => !covered);
  if (ctx.mode === "live" && lacks) ctx.log.warn({}, `screening is ${describeScreening({ isOn, covers, ...state })}`);
}
