import { type Check, describeScreened, judgeReadiness, type Patience, type Vitals } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";
import { chainHeadsIn } from "#server/observe/snapshot.ts";
import { readVitals } from "#server/services/maintenance/read-vitals.ts";

/** An answer comes within two seconds, whatever the database does. */
const PATIENCE_MS = 1_500;

/** All who ask while one reading is under way share it: however often they ask, a slow database gets no more than one. */
const underWay = new WeakMap<object, Promise<Vitals | null>>();

/** Null: the database did not answer in time. */
export async function vitalsInTime(ctx: Uses<"db">): Promise<Vitals | null> {
  let reading = underWay.get(ctx.db);
  if (reading === undefined) {
    reading = readVitals(ctx)
      .catch(() => null)
      .finally(() => underWay.delete(ctx.db));
    underWay.set(ctx.db, reading);
  }
  return await inTime(reading);
}

/** What a reading gives; null: nothing within our patience. */
export async function inTime<Value>(reading: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return await Promise.race([reading, patience]).finally(() => clearTimeout(timer));
}

/** Part by part, whether the service does its work, the database first. `vitals` null: it did not answer in time. */
export async function readChecks(
  ctx: Uses<"db" | "chains" | "clock" | "screener">,
  patience?: Patience,
): Promise<{ checks: Check[]; tookMs: number; vitals: Vitals | null }> {
  const began = performance.now();
  const vitals = await vitalsInTime(ctx);
  const tookMs = Math.round(performance.now() - began);
  const checks: Check[] = [{ name: "database", ok: vitals !== null, detail: vitals ? `answered in ${tookMs} ms` : "does not answer" }];
  if (vitals !== null) {
    const chains = ctx.chains.list().map((chain) => chain.chain);
    checks.push(...judgeReadiness(vitals, chainHeadsIn(vitals.processes, ctx.clock.now()), chains, patience));
    checks.push(describeScreened(ctx.screener.state()));
  }
  return { checks, tookMs, vitals };
}
