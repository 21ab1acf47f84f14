import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { Transfer, WaitingKind } from "#domain/transfer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";

/** How long a transfer waits for the next block: a wallet has room again, or a node repeats its refusal. */
export const BLOCK_MS = 1_000;

/** Why a transfer waits. `isBrief`: until the next block. */
export type Why = { kind: WaitingKind; reason: string; isBrief?: boolean };

/** Postpones transfers, and says on each what it waits for. */
export async function restAll({ engine }: Pass, transfers: readonly Transfer[], { kind, reason, isBrief }: Why): Promise<void> {
  const ids = transfers.map(({ id }) => id);
  const { restMs } = engine.timings;
  await restTransfers(engine.ctx.db, ids, { kind, reason, restMs: isBrief ? Math.min(restMs, BLOCK_MS) : restMs });
}
