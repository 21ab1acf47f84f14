import { leakedKeyOperation } from "#contract/leaked-key.ts";
import { endLeakedKey } from "#server/services/access/end-leaked-key.ts";
import { bind } from "./bind.ts";

export const LEAKED_KEY = bind(leakedKeyOperation, async (ctx, { body, address, requestId }) => {
  const { api_key: apiKey, api_secret: apiSecret, found_at: foundAt = null } = body;
  await endLeakedKey(ctx, { apiKey, apiSecret, foundAt, address, requestId });
  return { body: { received: true as const } };
});
