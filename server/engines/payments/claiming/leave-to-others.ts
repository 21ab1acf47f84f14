import { sumInFlight } from "#db/queries/transfers/in-flight.ts";
import type { Left } from "#db/queries/transfers/left-transfers.ts";
import { listOthersPayers } from "#db/queries/transfers/wallets.ts";
import type { LeftUntil, Pass } from "#server/engines/payments/engine.ts";
import type { Payer } from "#server/engines/payments/signing/plan-payments.ts";

/** Another worker comes to what is due within a second. */
const LEFT_MS = 2_000;
const NOTHING: readonly LeftUntil[] = [];

/** The wallets that pay on the chain by another worker's hand, each with what it has on its way. */
export async function listOthers({ chain, engine, cursorHeight }: Pass): Promise<Payer[]> {
  const { ctx, workerId } = engine;
  const rows = await listOthersPayers(ctx.db, { chain: chain.chain, owner: workerId });
  return await Promise.all(rows.map(async (row) => ({ row, inFlight: await sumInFlight(ctx.db, row.id, cursorHeight) })));
}

/** What this worker leaves to others just now, of this chain. */
export function leftOn({ chain, engine }: Pass): readonly LeftUntil[] {
  const left = engine.memory.left.get(chain.chain) ?? NOTHING;
  const now = engine.ctx.clock.now().getTime();
  if (left.every(({ until }) => until > now)) return left;
  const still = left.filter(({ until }) => until > now);
  engine.memory.left.set(chain.chain, still);
  return still;
}

/** Takes none of that for a moment, so that the others come to it. Each is left for that long and no longer: by then it is planned again. */
export function leave(pass: Pass, what: readonly Left[]): void {
  if (what.length === 0) return;
  const { engine, chain } = pass;
  const until = engine.ctx.clock.now().getTime() + Math.min(engine.timings.restMs, LEFT_MS);
  const left = [...leftOn(pass)];
  for (const one of what) if (!left.some((before) => covers(before.what, one))) left.push({ what: one, until });
  engine.memory.left.set(chain.chain, left);
}

function covers(one: Left, other: Left): boolean {
  return one === "all" || (other !== "all" && one.tokenAddress === other.tokenAddress && one.fromBase <= other.fromBase);
}
