import { listStopped } from "#db/queries/halts/scope-halts.ts";
import { listPartnersAway } from "#db/queries/partners/partners-away.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import { unlessNodeAway } from "#db/trouble.ts";
import { haltReason } from "#domain/halt-scope.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { restAll } from "./rest-all.ts";

/**
 * Leaves alone what is owed for a partner or by a pair whose scope is halted, and answers the rest. On Citus it also leaves alone what is owed
 * for partners whose node is away, because their halts cannot be read.
 */
export async function restHalted(pass: Pass, claimed: readonly Transfer[]): Promise<Transfer[]> {
  const { db } = pass.engine.ctx;
  const known = await unlessNodeAway(listStopped(db, idsOf(claimed)));
  const reached = known === null ? await restUnreached(pass, claimed) : claimed;
  const stopped = known ?? (await listStopped(db, idsOf(reached)));
  for (const [reason, some] of Map.groupBy(stopped, ([, halt]) => haltReason(halt))) {
    const together = reached.filter(({ id }) => some.some(([stoppedId]) => stoppedId === id));
    await restAll(pass, together, { kind: "review", reason });
  }
  return reached.filter(({ id }) => !stopped.has(id));
}

async function restUnreached(pass: Pass, claimed: readonly Transfer[]): Promise<readonly Transfer[]> {
  const { ctx, timings } = pass.engine;
  const away = await listPartnersAway(ctx.db, [...new Set(claimed.flatMap(({ partnerId }) => partnerId ?? []))]);
  const isAway = ({ partnerId }: Transfer) => partnerId !== null && away.has(partnerId);
  await restTransfers(ctx.db, idsOf(claimed.filter(isAway)), { kind: null, restMs: timings.restMs });
  return claimed.filter((transfer) => !isAway(transfer));
}

const idsOf = (transfers: readonly Transfer[]) => transfers.map(({ id }) => id);
