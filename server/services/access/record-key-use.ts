import { recordApiKeyUse } from "#db/queries/access/api-keys.ts";
import type { ApiKey } from "#domain/api-key.ts";
import type { Uses } from "#server/context.ts";

const PRECISION_MS = 60_000;
const OF_OPERATION_MS = 3_600_000;

/**
 * Keeps the last use and its address true to the minute, and that of each operation true to the hour: a busy key costs one write a minute, and
 * one an hour for each operation.
 */
export async function recordKeyUse(ctx: Uses<"db" | "clock">, key: ApiKey, use: { address: string; operation: string }): Promise<void> {
  const at = ctx.clock.now();
  const [since, sameSince] = [new Date(at.getTime() - PRECISION_MS), new Date(at.getTime() - OF_OPERATION_MS)];
  const same = key.lastUses[use.operation];
  if (key.lastUsedAt !== null && key.lastUsedAt >= since && same !== undefined && same >= sameSince.toISOString()) return;
  await recordApiKeyUse(ctx.db, key.id, { at, ...use }, { since, sameSince });
  // For a key that this process has cached: do not record its use again at once.
  key.lastUsedAt = at;
  key.lastUses = { ...key.lastUses, [use.operation]: at.toISOString() };
}
