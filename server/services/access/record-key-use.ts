import { recordApiKeyUse } from "#db/queries/access/api-keys.ts";
import type { ApiKey } from "#domain/api-key.ts";
import type { Uses } from "#server/context.ts";

const PRECISION_MS = 60_000;

/** Keeps the last use and its address true to the minute, at one write a minute however busy the key is. */
export async function recordKeyUse(ctx: Uses<"db" | "clock">, key: ApiKey, address: string): Promise<void> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - PRECISION_MS);
  if (key.lastUsedAt !== null && key.lastUsedAt >= since) return;
  await recordApiKeyUse(ctx.db, key.id, { at: now, address }, since);
  // For a key that this process has cached: do not record its use again at once.
  key.lastUsedAt = now;
}
